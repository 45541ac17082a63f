#include "traces/readers/boinc_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

/// <name>text</name>, or only one of the two tags.
struct Element {
  std::string_view name;
  std::string_view text;
  bool opens = false;
  bool closes = false;
};

std::optional<Element> element_of(std::string_view line) {
  const std::size_t end = line.find('>');
  if (!line.starts_with('<') || end == line.npos || end < 2) return std::nullopt;
  Element element{line.substr(1, end - 1), "", true, false};
  if (element.name.front() == '/') return Element{element.name.substr(1), "", false, end + 1 == line.size()};
  if (end + 1 == line.size()) {
    element.closes = element.name.ends_with('/');  // <name/>
    if (element.closes) element.name.remove_suffix(1);
    return element;
  }
  const std::string last = fmt::format("</{}>", element.name);
  if (!line.ends_with(last) || line.size() < end + 1 + last.size()) return std::nullopt;
  element.text = line.substr(end + 1, line.size() - last.size() - end - 1);
  element.closes = true;
  if (element.text.find('<') != element.text.npos) return std::nullopt;
  return element;
}

/// What is known about a host so far.
struct Host {
  std::optional<std::string> id;
  std::optional<double> created;
  std::optional<double> heard;
  std::size_t line = 0;
};

class HostList {
 public:
  HostList(std::istream& input, const std::string& file) : lines_(input, file, "") {}

  /// The next host; nothing at the end of the file.
  std::optional<Host> next() {
    std::string_view line;
    std::optional<Host> host;
    while (lines_.next(line)) {
      if (line.starts_with("<?")) continue;
      const auto element = element_of(line);
      if (!element || (!element->opens && !element->closes))
        lines_.fail("E_FIELDS",
                    "each line must be one element, as db_dump writes them; xmllint --format makes such lines");
      if (element->name == "host" && element->opens != element->closes) {
        if (element->opens == host.has_value()) lines_.fail("E_FIELDS", "<host> or </host> is out of place here");
        if (!element->opens) return checked(*host);
        host.emplace().line = lines_.line();
      } else if (host && element->opens && element->closes) {
        take(*host, *element);
      } else if (host || element->name != "hosts" || element->opens == element->closes) {
        lines_.fail("E_FIELDS", fmt::format("\"{}\" does not belong in a list of hosts", echoed(element->name)));
      }
    }
    if (host) lines_.fail("E_FIELDS", "the last host is not closed by </host>");
    return std::nullopt;
  }

 private:
  void take(Host& host, const Element& element) const {
    if (element.name == "id") set(host.id, std::string(element.text), element);
    if (element.name == "create_time") set(host.created, number(element), element);
    if (element.name == "rpc_time") set(host.heard, number(element), element);
  }

  template <typename Value>
  void set(std::optional<Value>& to, const Value& value, const Element& element) const {
    if (to) lines_.fail("E_FIELDS", fmt::format("the host has a second {}", element.name));
    to = value;
  }

  double number(const Element& element) const {
    const auto value = parse_number(element.text);
    if (!value)
      lines_.fail("E_NUMBER",
                  fmt::format("{} is \"{}\"; it must be seconds since 1970", element.name, echoed(element.text)));
    return *value;
  }

  Host checked(const Host& host) const {
    if (!host.id || host.id->empty()) lines_.fail("E_FIELDS", "the host has no id");
    if (!host.created || !host.heard)
      lines_.fail("E_FIELDS", "the host has no create_time or no rpc_time; db_dump writes them only with <detail/>");
    return host;
  }

  LineReader lines_;
};

}  // namespace

AvailabilityTrace read_boinc(std::istream& input, const std::string& file, const ReadingOptions& options) {
  HostList list(input, file);
  SpellList spells(options, file);
  std::vector<Host> hosts;
  double latest = -1e308;
  while (const auto host = list.next()) {
    latest = std::max({latest, *host->created, *host->heard});
    if (*host->heard == 0) {
      if (options.wants(*host->id)) spells.count("W_NOTSTARTED");
    } else {
      hosts.push_back(*host);
    }
  }
  if (hosts.empty()) return spells.finish();
  if (!options.silent)
    fail_trace(
        file, 0, "E_SILENT",
        "BOINC does not say which hosts are gone; say after what silence a host counts as gone: --option silent=30d");
  const double end = options.t1.value_or(latest);
  for (const Host& host : hosts) {
    Spell spell;
    spell.history = spells.history(*host.id);
    spell.start = *host.created;
    spell.end = *host.heard;
    spell.observed = spell.end + *options.silent < end;
    spell.line = host.line;
    spells.add(spell);
  }
  return spells.finish();
}

bool accepts_boinc(std::string_view line, bool, const ReadingOptions&) { return line.starts_with('<'); }

}  // namespace coterie::traces
