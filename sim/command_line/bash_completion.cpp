#include <fmt/format.h>

#include "sim/command_line/completion_scripts.hpp"

namespace coterie::sim {
namespace {

/// The script of one program, with everything that may be completed written into it.
class BashScript {
 public:
  explicit BashScript(const CompletedProgram& program) : program_(program.program), function_(program.function) {
    for (const CompletedProgram::VerbLine& verb : program.verbs) {
      names_.push_back(verb.name);
      if (verb.actions.empty()) continue;
      actions_ +=
          fmt::format("    {})\n      if ((COMP_CWORD == 2)); then\n        {}_words '{} --help'\n        return\n",
                      verb.name, function_, spaced(verb.actions));
      actions_ += fmt::format("      fi\n      verb+=\" ${{COMP_WORDS[2]}}\" ;;\n");
    }
    for (const CompletedProgram::Call& call : program.calls) add(call.words, call.text);
  }

  std::string text() const {
    constexpr const char* kTemplate = R"(# Completes {program} in bash; made by `{program} completion bash`.
{function}_words() {{ # as they have to be typed: skip\(greedy\)
  local i
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "${{current//\\/}}")
  for i in "${{!COMPREPLY[@]}}"; do printf -v "COMPREPLY[i]" %q "${{COMPREPLY[i]}}"; done
  [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace 2> /dev/null
}}

{function}_files() {{ # SUFFIX...: files whose names end so, and folders; without, any file
  local path suffix
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do
    if (($# == 0)) || [[ -d $path ]]; then COMPREPLY+=("$path"); fi
    for suffix in "$@"; do
      if [[ $path == *"$suffix" && ! -d $path ]]; then COMPREPLY+=("$path"); fi
    done
  done < <(compgen -f -- "$current")
}}

{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]-}}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    {function}_words '{verbs} --help --version'
    return
  fi
  if [[ $current == "=" ]]; then # --format=json comes as three words
    current=""
  elif [[ $before == "=" ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case $verb in
{actions}  esac
  case "$verb $before" in
{values}  esac
  case $verb in
{options}  esac
}}
complete -F {function} {program}
)";
    return fmt::format(fmt::runtime(kTemplate), fmt::arg("program", program_), fmt::arg("function", function_),
                       fmt::arg("verbs", spaced(names_)), fmt::arg("actions", actions_), fmt::arg("values", values_),
                       fmt::arg("options", options_));
  }

 private:
  /// The shell code that proposes `values`.
  std::string proposal(const Values& values) const {
    if (!values.words.empty()) return fmt::format("{}_words '{}'", function_, spaced(values.words));
    if (values.file) return fmt::format("{}_files {}", function_, spaced(values.suffixes));
    return ":";
  }

  /// One verb, or one action of it.
  void add(const std::string& key, const VerbText& text) {
    std::vector<std::string> options;
    for (const VerbText::Option& option : text.options) {
      options.push_back("--" + option.name);
      if (option.takes_value)  // even if no values are known: what follows is not a word or option of the verb
        values_ += fmt::format("    '{} --{}') {}; return ;;\n", key, option.name, proposal(option.values));
    }
    options_ += fmt::format(
        "    '{0}')\n      if [[ $current == -* ]]; then\n        {1}_words '{2}'\n      else\n"
        "        {3}\n      fi ;;\n",
        key, function_, spaced(options), proposal(text.words));
  }

  std::string program_;
  std::string function_;
  std::vector<std::string> names_;
  std::string actions_;
  std::string values_;
  std::string options_;
};

}  // namespace

std::string bash_completion(const CompletedProgram& program) { return BashScript(program).text(); }

}  // namespace coterie::sim
