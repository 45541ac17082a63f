#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "core/table.hpp"
#include "sim/command_line/completion_scripts.hpp"
#include "sim/command_line/verbs.hpp"

namespace coterie::sim {
namespace {

struct Shell {
  std::string name;
  std::string (*script)(const CompletedProgram& program);
  const char* file;  ///< where users put the script; {0} is the program
};

const std::vector<Shell>& shells() {
  static const std::vector<Shell> table = {
      {"bash", bash_completion, "~/.local/share/bash-completion/completions/{0}"},
      {"zsh", zsh_completion, "~/.zfunc/_{0}"},
      {"fish", fish_completion, "~/.config/fish/completions/{0}.fish"},
  };
  return table;
}

}  // namespace

CompletedProgram completed_program(const Catalogue& catalogue) {
  CompletedProgram program{catalogue.program(), "_" + catalogue.program(), {}, {}};
  std::replace_if(
      program.function.begin(), program.function.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  for (const Verb& verb : verbs()) {
    const VerbText text = text_of(verb, catalogue);
    program.verbs.push_back({verb.name, verb.summary, text.actions});
    if (text.actions.empty()) program.calls.push_back({verb.name, text});
    for (const std::string& action : text.actions)
      program.calls.push_back({verb.name + " " + action, text_of(verb, catalogue, action)});
  }
  return program;
}

std::string spaced(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string shell_quoted(const std::string& text, const std::string& escaped_quote) {
  std::string quoted = "'";
  for (const char c : text.substr(0, text.find('\n'))) quoted += c == '\'' ? escaped_quote : std::string(1, c);
  return quoted + "'";
}

int completion_verb(const Call& call) {
  const std::string& program = call.catalogue.program();
  const std::vector<std::string> names = names_in(shells());
  const std::string usage = fmt::format("{}", fmt::join(names, "|"));
  std::string summary =
      "Prints a script that completes verbs, options, names and files. To have it in every new shell:";
  for (const Shell& shell : shells())
    summary += fmt::format("\n  {0} completion {1} > {2}", program, shell.name,
                           fmt::format(fmt::runtime(shell.file), program));
  summary += "\n(zsh: put fpath+=(~/.zfunc) before compinit in ~/.zshrc)";
  Options options("completion " + usage, summary);
  options.positional(usage, 1, 1);
  options.propose("", names);
  if (!options.parse(call)) return 0;
  std::cout << find_row(shells(), options.words().front(), "completion").script(completed_program(call.catalogue));
  return 0;
}

}  // namespace coterie::sim
