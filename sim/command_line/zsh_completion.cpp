#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/command_line/completion_scripts.hpp"

namespace coterie::sim {
namespace {

const std::string kQuote = "'\\''";

/// The words of an _arguments specification, each in double quotes.
std::string specified(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += " \"";
    for (const char c : word) text += (c == ':' ? "\\" : "") + std::string(1, c);
    text += '"';
  }
  return text;
}

/// The ":what:action" part of an _arguments specification.
std::string proposal(const CompletedProgram& program, const Values& values) {
  if (!values.words.empty()) return fmt::format(":value: {}_words{}", program.function, specified(values.words));
  if (!values.file) return ":value: ";
  if (values.suffixes.empty()) return ":file:_files";
  if (values.suffixes.size() == 1) return fmt::format(":file:_files -g \"*{}\"", values.suffixes.front());
  return fmt::format(":file:_files -g \"*({})\"", fmt::join(values.suffixes, "|"));
}

/// A description in brackets; brackets inside it, which would end it, become parentheses.
std::string bracketed(std::string text) {
  std::replace(text.begin(), text.end(), '[', '(');
  std::replace(text.begin(), text.end(), ']', ')');
  return '[' + text.substr(0, text.find('\n')) + ']';
}

std::string arguments(const CompletedProgram& program, const CompletedProgram::Call& call) {
  std::string text = fmt::format("    '{}')\n      _arguments \\\n", call.words);
  for (const VerbText::Option& option : call.text.options)
    text += fmt::format(
        "        {} \\\n",
        shell_quoted(fmt::format("*--{}{}{}{}", option.name, option.takes_value ? "=" : "", bracketed(option.meaning),
                                 option.takes_value ? proposal(program, option.values) : ""),
                     kQuote));
  return text + fmt::format("        {} ;;\n", shell_quoted("*" + proposal(program, call.text.words), kQuote));
}

}  // namespace

std::string zsh_completion(const CompletedProgram& program) {
  std::string verbs;
  std::string actions;
  std::string calls;
  for (const CompletedProgram::VerbLine& verb : program.verbs) {
    verbs += fmt::format("      {}\n", shell_quoted(verb.name + ":" + verb.summary, kQuote));
    if (verb.actions.empty()) continue;
    actions += fmt::format(
        "    {})\n      if ((CURRENT == 2)); then\n        {}_words {} --help\n        return\n      fi\n"
        "      call+=\" $words[2]\"\n      shift words\n      ((CURRENT--)) ;;\n",
        verb.name, program.function, spaced(verb.actions));
  }
  for (const CompletedProgram::Call& call : program.calls) calls += arguments(program, call);
  constexpr const char* kTemplate = R"(#compdef {program}
# Completes {program} in zsh; made by `{program} completion zsh`.
{function}_words() {{ # WORD...: no blank behind one that ends in =
  local -a open=(${{(M)@:#*=}}) closed=(${{@:#*=}})
  compadd -Q -S '' -a -- open
  compadd -Q -a -- closed
}}

{function}() {{
  if ((CURRENT == 2)); then
    local -a verbs=(
{verbs}    )
    if [[ $PREFIX == -* ]]; then
      {function}_words --help --version
    else
      _describe -t verbs verb verbs
    fi
    return
  fi
  shift words
  ((CURRENT--))
  local call=$words[1]
  case $call in
{actions}  esac
  case $call in
{calls}  esac
}}

if [[ $funcstack[1] == {function} ]]; then
  {function} "$@"
else
  compdef {function} {program}
fi
)";
  return fmt::format(fmt::runtime(kTemplate), fmt::arg("program", program.program),
                     fmt::arg("function", program.function), fmt::arg("verbs", verbs), fmt::arg("actions", actions),
                     fmt::arg("calls", calls));
}

}  // namespace coterie::sim
