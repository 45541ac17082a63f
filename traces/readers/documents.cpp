#include "traces/readers/documents.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {
namespace {

using Json = nlohmann::json;

/// Where wrappers keep the records that they list: kubectl, SQS and SNS, CloudTrail (files, events of Lambda, and
/// look-ups), CloudWatch, Prometheus, sacct, describe-spot-instance-requests.
constexpr std::string_view kLists[] = {"items",  "Messages",    "Records", "Events",
                                       "events", "data/result", "jobs",    "SpotInstanceRequests"};
/// Where they keep one, as text: SQS, Lambda, SNS and CloudWatch, CloudTrail.
constexpr std::string_view kTexts[] = {"Body", "body", "Message", "message", "CloudTrailEvent"};
/// What only records have, which may have a message of their own.
constexpr std::string_view kOwnKeys[] = {"involvedObject", "regarding", "detail-type", "protoPayload", "reason"};

/// Follows one JSON text over its lines.
class Nesting {
 public:
  void read(std::string_view line) {
    for (const char c : line) {
      if (in_string_) {
        if (escaped_)
          escaped_ = false;
        else if (c == '\\')
          escaped_ = true;
        else
          in_string_ = c != '"';
        continue;
      }
      in_string_ = c == '"';
      if (c == '{' || c == '[') ++depth_;
      if (c == '}' || c == ']') --depth_;
    }
    in_string_ = escaped_ = false;  // no string of JSON goes on in the next line
  }
  bool open() const { return depth_ > 0; }

 private:
  std::int64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// Expat 2.9 has it under a new name.
std::size_t line_of(XML_Parser parser) {
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
  return XML_GetCurrentLineNumber(parser);
#else
  return XML_GetCurrentLineNumber64(parser);
#endif
}

/// Reads the elements of a file below one root, which the file itself need not have.
class XmlRecords {
 public:
  explicit XmlRecords(const std::string& encoding)
      : parser_(XML_ParserCreate(encoding.empty() ? nullptr : encoding.c_str()), XML_ParserFree) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<XmlRecords*>(self)->begin(name, attributes);
        },
        [](void* self, const XML_Char*) { static_cast<XmlRecords*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
      static_cast<XmlRecords*>(self)->characters({text, static_cast<std::size_t>(size)});
    });
  }

  /// Calls found(record, line) for each record.
  std::function<void(Json&&, std::size_t)> found;

  void read(std::string_view text, bool last) {
    if (problem_.empty() &&
        XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), last) == XML_STATUS_ERROR)
      fail(XML_ErrorString(XML_GetErrorCode(parser_.get())));
  }
  const std::string& problem() const { return problem_; }
  std::size_t line() const { return line_; }

 private:
  static bool is_record(std::string_view name) { return name == "host" || name == "c"; }

  void fail(const std::string& problem) {
    if (!problem_.empty()) return;
    problem_ = problem;
    line_ = line_of(parser_.get());
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    ++depth_;
    const bool within = record_depth_ > 0;
    if (within && name == "host") return fail("<host> is out of place here");
    if (is_record(name) && !within && depth_ <= 3) {
      record_depth_ = depth_;
      record_ = {{"<>", name}};
      record_line_ = line_of(parser_.get());
    } else if (!within) {
      if (depth_ > 3 || (depth_ == 3 && !is_record(name)) || (depth_ == 2 && name != "hosts" && name != "classads"))
        fail(fmt::format("<{}> does not belong in a list of hosts (BOINC) or of events (HTCondor)", name));
    } else if (depth_ == record_depth_ + 1) {
      field_ = name;
      nested_ = false;
      type_ = "";
      for (; *attributes != nullptr; attributes += 2)
        if (std::string_view(*attributes) == "n") field_ = attributes[1];
      text_.clear();
    } else {
      nested_ = nested_ || depth_ > record_depth_ + 2 || !type_.empty() || record_["<>"] == "host";
      type_ = name;
      for (; *attributes != nullptr; attributes += 2)
        if (name == "b" && std::string_view(*attributes) == "v") text_ = attributes[1];
    }
  }

  void end() {
    if (record_depth_ > 0 && depth_ == record_depth_) {
      found(std::move(record_), record_line_);
      record_depth_ = 0;
    } else if (depth_ == record_depth_ + 1 && record_depth_ > 0 && !nested_) {
      add_field();
    }
    --depth_;
  }

  void add_field() {
    const std::string text(trimmed(text_));
    Json value = text;
    if (type_ == "i")
      if (const auto number = parse_integer(text)) value = *number;
    if (record_.contains(field_))  // left to those who need it
      value = {record_[field_], value};
    record_[field_] = value;
  }

  void characters(std::string_view text) {
    if (record_depth_ == 0 && !trimmed(text).empty() && text.find_first_not_of(" \t\r\n") != text.npos)
      fail("the text does not belong there");
    text_ += text;
  }

  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::string problem_;
  std::size_t line_ = 0;
  int depth_ = 0;
  int record_depth_ = 0;  // 0: not within a record
  std::size_t record_line_ = 0;
  Json record_;
  std::string field_;
  std::string type_;  // of its value: <i>, <s>, ...
  std::string text_;
  bool nested_ = false;
};

/// The encoding that an XML declaration names, if expat knows it; "" if there is none.
std::string encoding_of(std::string_view declaration) {
  for (const char* name : {"iso-8859-1", "us-ascii", "utf-8"})
    if (lower_case(declaration).find(name) != std::string::npos) return name;
  return "";
}

}  // namespace

bool holds_documents(std::istream& input) {
  const auto begin = input.tellg();
  int first = input.get();
  while (first == ' ' || first == '\t' || first == '\n' || first == '\r' || first == 0xEF || first == 0xBB ||
         first == 0xBF)
    first = input.get();
  input.clear();
  input.seekg(begin);
  return first == '{' || first == '[' || first == '<';
}

const Json* json_at(const Json& object, std::string_view path) {
  const Json* at = &object;
  for (const std::string_view key : split(path, '/')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(std::string(key));
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_at(const Json& object, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths)
    if (const Json* found = json_at(object, path); found != nullptr && found->is_string() && *found != "")
      return found->get<std::string>();
  return "";
}

std::optional<double> number_at(const Json& object, std::string_view path) {
  const Json* found = json_at(object, path);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  if (found->is_string()) return parse_number(found->get_ref<const std::string&>());
  const Json* set = json_at(*found, "set");
  return set != nullptr && *set == false ? std::nullopt : number_at(*found, "number");
}

std::optional<std::int64_t> integer_at(const Json& object, std::string_view path) {
  constexpr double kLargest = 1e18;
  const auto number = number_at(object, path);
  if (!number || !(std::abs(*number) < kLargest) || *number != std::trunc(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

void Documents::fail(std::string_view code, const std::string& problem) const {
  fail_trace(lines_.file(), line_, code, problem);
}

void Documents::unwrap(Json&& value, int depth) {
  constexpr int kDeepest = 8;
  if (depth > kDeepest || (!value.is_object() && !value.is_array()))
    fail("E_FIELDS", "this is not a JSON object; write one per line, as jq -c does, or a list of them");
  if (value.is_array()) {
    for (Json& one : value) unwrap(std::move(one), depth + 1);
    return;
  }
  const bool own = std::any_of(std::begin(kOwnKeys), std::end(kOwnKeys),
                               [&](std::string_view key) { return value.contains(std::string(key)); });
  if (!own) {
    for (const std::string_view list : kLists)
      if (const Json* found = json_at(value, list); found != nullptr && found->is_array()) {
        Json copy = *found;
        return unwrap(std::move(copy), depth + 1);
      }
    for (const std::string_view key : kTexts) {
      const std::string text = text_at(value, {key});
      if (!text.starts_with('{')) continue;
      Json inner = Json::parse(text, nullptr, false);
      if (inner.is_object()) return unwrap(std::move(inner), depth + 1);
    }
    if (value.contains("type") && value.contains("object") && value["object"].is_object()) {  // kubectl --watch
      Json copy = value["object"];
      return unwrap(std::move(copy), depth + 1);
    }
  }
  records_.push_back({std::move(value), line_});
}

void Documents::read_json(std::string_view first) {
  line_ = lines_.line();
  std::string text(first);
  Nesting nesting;
  nesting.read(first);
  std::string_view line;
  while (nesting.open() && lines_.next(line)) {
    nesting.read(line);
    text += '\n';
    text += line;
  }
  // The parser would stop at a zero byte, whatever follows.
  Json value = text.find('\0') == text.npos ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
  if (value.is_discarded())
    fail("E_FIELDS", nesting.open()
                         ? "the JSON that begins here has no end"
                         : "the line begins like JSON, but is none; write one object per line, as jq -c does");
  unwrap(std::move(value), 0);
}

void Documents::read_xml(std::string_view first) {
  XmlRecords xml(encoding_of(first.starts_with("<?") ? first.substr(0, first.find("?>")) : ""));
  xml.found = [&](Json&& record, std::size_t line) { records_.push_back({std::move(record), line}); };
  const std::size_t before = lines_.line() - 1;
  xml.read("<records>" + std::string(before, '\n'), false);
  bool prolog = true;  // which may only stand before the root
  std::string rest(first);
  do {
    for (const auto& [begin, end] : {std::pair{"<?", "?>"}, {"<!DOCTYPE", ">"}})
      if (prolog && rest.starts_with(begin) && rest.find(end) != rest.npos)
        rest = trimmed(std::string_view(rest).substr(rest.find(end) + std::string_view(end).size()));
    prolog = prolog && rest.empty();
    xml.read(rest, false);
    xml.read("\n", false);
  } while (xml.problem().empty() && lines_.next_raw(rest));
  xml.read("</records>", true);
  if (xml.problem().empty()) return;
  line_ = std::min(xml.line(), lines_.line());
  fail("E_FIELDS", xml.problem());
}

bool Documents::next(Json& record) {
  std::string_view line;
  while (records_.empty() && lines_.next(line)) {
    if (line.starts_with('<'))
      read_xml(line);
    else
      read_json(line);
  }
  if (records_.empty()) return false;
  record = std::move(records_.front().value);
  line_ = records_.front().line;
  records_.pop_front();
  return true;
}

std::string Documents::text(const Json& record, std::string_view path) const {
  const std::string found = text_at(record, {path});
  if (found.empty()) fail("E_FIELDS", fmt::format("{} is missing or not text", path));
  return found;
}

double Documents::time(const Json& record, std::string_view path) const {
  const std::string stamp = text(record, path);
  const auto time = time_if_any(record, path);
  if (!time)
    fail("E_NUMBER", fmt::format("{} is \"{}\", which is not a time stamp with an offset or Z", path, echoed(stamp)));
  return *time;
}

std::optional<double> Documents::time_if_any(const Json& record, std::string_view path) {
  const std::string stamp = text_at(record, {path});
  return is_calendar_time(stamp) ? parse_time_stamp(stamp, TimeUnit{}) : std::nullopt;
}

}  // namespace coterie::traces
