#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/table.hpp"
#include "sim/campaign/version.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// Escaped for roff: hyphens that can be copied, and no line that is taken for a request.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

/// Lines that begin with blanks are kept as they are; the others are filled.
std::string flowing(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  bool kept = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      result += kept ? "" : ".PP\n";
      continue;
    }
    const bool keep = line.front() == ' ';
    if (keep && !kept) result += ".PP\n.nf\n";
    if (!keep && kept) result += ".fi\n.PP\n";
    kept = keep;
    result += escaped(line) + '\n';
  }
  return result + (kept ? ".fi\n" : "");
}

std::string option_list(const VerbText& text) {
  std::string result;
  for (const VerbText::Option& option : text.options)
    result += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escaped("--" + option.name),
                          option.takes_value ? " \\fIVALUE\\fR" : "", escaped(option.meaning));
  return result;
}

class Manual {
 public:
  explicit Manual(const Catalogue& catalogue) : catalogue_(catalogue), program_(catalogue.program()) {}

  /// The page of the program itself.
  std::string program_page() const {
    std::string text = head(program_, "shares a divisible workload among computers that may be interrupted");
    text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR \\fIVERB\\fR [...]\n.SH DESCRIPTION\n", escaped(program_));
    text += flowing(
        "Builds schedules, computes their expected work exactly, runs them against sampled interruptions and "
        "background jobs, and keeps the ratio of each run to the best that anyone could have done.\nResults go to "
        "standard output or files, everything else to standard error.");
    text += ".SH VERBS\n";
    for (const Verb& verb : verbs())
      text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(page_name(verb.name)), escaped(verb.summary));
    text += ".SH OPTIONS\n.TP\n" + escaped("--version") + "\nversion, git revision, compiler, libraries\n.TP\n" +
            escaped("--help") + "\nthe verbs; after a verb, its options\n";
    return text + ending();
  }

  std::string verb_page(const Verb& verb) const {
    const VerbText text = text_of(verb, catalogue_);
    std::string page = head(page_name(verb.name), verb.summary) + ".SH SYNOPSIS\n";
    std::vector<VerbText> actions;
    for (const std::string& action : text.actions) actions.push_back(text_of(verb, catalogue_, action));
    if (actions.empty()) page += synopsis(text);
    for (const VerbText& action : actions) page += synopsis(action) + ".br\n";
    page += ".SH DESCRIPTION\n" + flowing(text.summary);
    if (actions.empty()) page += ".SH OPTIONS\n" + option_list(text);
    for (std::size_t i = 0; i < actions.size(); ++i)
      page +=
          fmt::format(".SH OPTIONS OF {}\n{}{}", escaped(text.actions[i]),
                      flowing(actions[i].summary.substr(0, actions[i].summary.find("\n\n"))), option_list(actions[i]));
    return page + ending();
  }

  std::string page_name(const std::string& verb) const { return program_ + "-" + verb; }

 private:
  /// No date: the same program makes the same pages.
  std::string head(const std::string& name, const std::string& summary) const {
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return fmt::format(".TH {} 1 \"\" \"{}\" \"User commands\"\n.SH NAME\n{} \\- {}\n", escaped(upper),
                       escaped("coterie " + catalogue_.version()), escaped(name), escaped(summary));
  }

  std::string synopsis(const VerbText& text) const {
    const std::size_t end = text.usage.find(' ');
    return fmt::format("\\fB{} {}\\fR{}\n", escaped(program_), escaped(text.usage.substr(0, end)),
                       end == std::string::npos ? "" : escaped(text.usage.substr(end)));
  }

  std::string ending() const {
    std::string text =
        ".SH EXIT STATUS\n0: done; 1: failed (files, resources); 2: wrong usage or input; 3: stopped before the end "
        "and can be resumed, or incomplete (status).\n.SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nif not empty: no "
        "colours and no bold text. Otherwise, on a terminal whose \\fBTERM\\fR is not dumb, errors are red, warnings "
        "yellow and headings bold.\n.SH SEE ALSO\n";
    text += fmt::format("\\fB{}\\fR(1)", escaped(program_));
    for (const Verb& verb : verbs()) text += fmt::format(", \\fB{}\\fR(1)", escaped(page_name(verb.name)));
    return text + '\n';
  }

  const Catalogue& catalogue_;
  std::string program_;
};

}  // namespace

int manual_verb(const Call& call) {
  Options options("manual [VERB] [--output FOLDER]",
                  "Prints the manual page of the program, or of a verb, as source for man; to read it:\n  " +
                      call.catalogue.program() + " manual run | man -l -");
  options.add()("output", po::value<std::string>(), "write all pages into this folder instead");
  options.positional("VERB", 0, 1);
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  options.propose("", names);
  options.file("output");
  if (!options.parse(call)) return 0;
  const Manual manual(call.catalogue);
  if (options.has("output")) {
    if (!options.words().empty())
      throw InputError(fmt::format("--output writes all pages; leave out \"{}\"", options.words().front()));
    const std::filesystem::path folder = options.text("output");
    std::filesystem::create_directories(folder);
    const auto write = [&](const std::string& name, const std::string& text) {
      write_text_durably((folder / (name + ".1")).string(), text);
    };
    write(call.catalogue.program(), manual.program_page());
    for (const Verb& verb : verbs()) write(manual.page_name(verb.name), manual.verb_page(verb));
    return 0;
  }
  std::cout << (options.words().empty() ? manual.program_page()
                                        : manual.verb_page(find_row(verbs(), options.words().front(), "verb")));
  return 0;
}

}  // namespace coterie::sim
