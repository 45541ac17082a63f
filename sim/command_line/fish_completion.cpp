#include <fmt/format.h>

#include "sim/command_line/completion_scripts.hpp"

namespace coterie::sim {
namespace {

const std::string kFishQuote = "\\'";

/// "-a '...'": words (fish would run what is in parentheses), or files.
std::string proposed(const CompletedProgram& program, const Values& values) {
  if (values.words.empty() && !values.file) return "";
  if (values.words.empty())
    return fmt::format(" -a '(_{}_files{}{})'", program.function, values.suffixes.empty() ? "" : " ",
                       spaced(values.suffixes));
  std::string words;
  for (const char c : spaced(values.words)) words += (c == '(' || c == ')' ? "\\" : "") + std::string(1, c);
  return fmt::format(" -k -a {}", shell_quoted(words, kFishQuote));
}

}  // namespace

std::string fish_completion(const CompletedProgram& program) {
  std::string lines;
  const auto line = [&](const std::string& condition, const std::string& rest) {
    lines += fmt::format("complete -c {} -n '_{}_{}'{}\n", program.program, program.function, condition, rest);
  };
  for (const char* word : {"help", "version"}) line("at 1", fmt::format(" -l {}", word));
  for (const CompletedProgram::VerbLine& verb : program.verbs) {
    line("at 1", fmt::format(" -a {} -d {}", verb.name, shell_quoted(verb.summary, kFishQuote)));
    if (!verb.actions.empty()) {
      line("at 2 " + verb.name, fmt::format(" -k -a '{}'", spaced(verb.actions)));
      line("at 2 " + verb.name, " -l help");
    }
  }
  for (const CompletedProgram::Call& call : program.calls) {
    for (const VerbText::Option& option : call.text.options)
      line("in " + call.words, fmt::format(" -l {}{}{} -d {}", option.name, option.takes_value ? " -x" : "",
                                           option.takes_value ? proposed(program, option.values) : "",
                                           shell_quoted(option.meaning, kFishQuote)));
    if (const std::string words = proposed(program, call.text.words); !words.empty()) line("in " + call.words, words);
  }
  constexpr const char* kTemplate = R"(# Completes {program} in fish; made by `{program} completion fish`.
function _{function}_in # VERB [ACTION]: does the line begin so?
    set -l words (commandline --tokenize --current-process --cut-at-cursor)
    test (count $words) -gt (count $argv); and test "$words[2..$(math 1 + (count $argv))]" = "$argv"
end

function _{function}_at # N [VERB]: is the word behind N others being written, and VERB the first of these?
    test (count (commandline --tokenize --current-process --cut-at-cursor)) -eq $argv[1]; or return
    test (count $argv) -eq 1; or _{function}_in $argv[2..]
end

function _{function}_files # SUFFIX...: files whose names end so, and folders; without, any file
    set -l token (string replace --regex -- '^--[^=]*=' '' (commandline --current-token))
    for path in (complete --do-complete "'' $token" | string split --fields 1 \t)
        if test (count $argv) -eq 0; or string match --quiet -- '*/' $path
            echo $path
        end
        for suffix in $argv
            string match --quiet -- "*$suffix" $path; and echo $path
        end
    end
end

complete -c {program} -f
{lines})";
  return fmt::format(fmt::runtime(kTemplate), fmt::arg("program", program.program),
                     fmt::arg("function", program.function), fmt::arg("lines", lines));
}

}  // namespace coterie::sim
