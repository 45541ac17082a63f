#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "core/table.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {
namespace {

struct Shell {
  std::string name;
  const char* script;  ///< {program}, and {function}: the same as a name of a function
  const char* file;    ///< where users put it; {0} is the program
};

/// All scripts ask the program itself: `completion answer SHELL WORDS...`, the last word being written. It prints one
/// proposal a line: the word, and behind a tab what it means.
const std::vector<Shell>& shells() {
  static const std::vector<Shell> table = {
      {"bash", R"(# Completes {program} in bash; made by `{program} completion bash`.
{function}() {{
  mapfile -t COMPREPLY < <("${{COMP_WORDS[0]/#\~/$HOME}}" completion answer bash "${{COMP_WORDS[@]:1:COMP_CWORD}}" 2> /dev/null)
  [[ ${{COMPREPLY[0]-}} != *[=/] ]] || compopt -o nospace 2> /dev/null
}}
complete -F {function} {program}
)",
       "~/.local/share/bash-completion/completions/{0}"},
      {"zsh", R"(#compdef {program}
# Completes {program} in zsh; made by `{program} completion zsh`.
{function}() {{
  local line shown open
  for line in "${{(@f)$(${{~words[1]}} completion answer zsh "${{(@Q)words[2,CURRENT]}}" 2> /dev/null)}}"; do
    shown=("${{line/$'\t'/  -- }}") open=()
    [[ ${{line%%$'\t'*}} == *[=/] ]] && open=(-S '')
    compadd -l -d shown $open -- "${{line%%$'\t'*}}"
  done
}}
[[ $funcstack[1] == {function} ]] && {function} "$@" || compdef {function} {program}
)",
       "~/.zfunc/_{0}"},
      {"fish", R"(# Completes {program} in fish; made by `{program} completion fish`.
complete -c {program} -f -k -a '({program} completion answer fish (commandline -opc)[2..] (commandline -ct))'
)",
       "~/.config/fish/completions/{0}.fish"},
  };
  return table;
}

struct Proposal {
  std::string word;
  std::string meaning;
};

/// Files and folders that begin as `written`, with one of the suffixes (none: all).
std::vector<Proposal> files(const std::string& written, const std::vector<std::string>& suffixes) {
  namespace fs = std::filesystem;
  const std::size_t slash = written.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : written.substr(0, slash + 1);
  const std::string begun = written.substr(folder.size());
  std::string path = folder.empty() ? "." : folder;
  if (const char* home = std::getenv("HOME"); home != nullptr && path.starts_with("~/")) path.replace(0, 1, home);
  std::vector<Proposal> found;
  std::error_code failure;
  for (fs::directory_iterator entry(path, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begun) || (name.starts_with('.') && begun.empty())) continue;
    if (std::error_code unknown; entry->is_directory(unknown))
      found.push_back({folder + name + '/', ""});
    else if (suffixes.empty() || std::any_of(suffixes.begin(), suffixes.end(),
                                             [&](const std::string& suffix) { return name.ends_with(suffix); }))
      found.push_back({folder + name, ""});
  }
  std::sort(found.begin(), found.end(), [](const Proposal& a, const Proposal& b) { return a.word < b.word; });
  return found;
}

std::vector<Proposal> proposals_of(const Values& values, const std::string& written) {
  if (values.file && values.words.empty()) return files(written, values.suffixes);
  std::vector<Proposal> list;
  for (const std::string& word : values.words) list.push_back({word, ""});
  return list;
}

/// What may stand for the last of the words behind the program's name.
std::vector<Proposal> proposals(const Catalogue& catalogue, std::vector<std::string> words) {
  const std::string written = words.back();
  words.pop_back();
  std::vector<Proposal> list;
  if (words.empty() && written.starts_with('-')) return {{"--help", ""}, {"--version", ""}};
  if (words.empty()) {
    for (const Verb& verb : verbs()) list.push_back({verb.name, verb.summary});
    return list;
  }
  const auto verb =
      std::find_if(verbs().begin(), verbs().end(), [&](const Verb& one) { return one.name == words.front(); });
  if (verb == verbs().end()) return {};
  VerbText text = text_of(*verb, catalogue);
  if (!text.actions.empty()) {
    if (words.size() == 1) {
      for (const std::string& action : text.actions) list.push_back({action, ""});
      list.push_back({"--help", ""});
      return list;
    }
    if (std::find(text.actions.begin(), text.actions.end(), words[1]) == text.actions.end()) return {};
    text = text_of(*verb, catalogue, words[1]);
  }
  const std::size_t equals = written.find('=');
  const bool has_value = written.starts_with("--") && equals != std::string::npos;
  const std::string asked = has_value ? written.substr(0, equals) : words.back();
  for (const VerbText::Option& option : text.options)
    if (option.takes_value && "--" + option.name == asked) {
      list = proposals_of(option.values, has_value ? written.substr(equals + 1) : written);
      for (Proposal& one : list)
        if (has_value) one.word = written.substr(0, equals + 1) + one.word;
      return list;
    }
  if (!written.starts_with('-')) return proposals_of(text.words, written);
  for (const VerbText::Option& option : text.options)
    list.push_back({"--" + option.name, option.meaning.substr(0, option.meaning.find('\n'))});
  return list;
}

/// bash gives words as they are typed, takes them so, and splits at "=".
std::vector<std::string> read_by_bash(const std::vector<std::string>& typed) {
  std::vector<std::string> words;
  for (const std::string& one : typed) {
    std::string word;
    for (std::size_t i = 0; i < one.size(); ++i)
      if (one[i] != '\\' || ++i < one.size()) word += one[i];
    words.push_back(word);
  }
  if (words.size() > 1 && words.back() == "=")
    words.back().clear();
  else if (words.size() > 2 && words[words.size() - 2] == "=")
    words.erase(words.end() - 2);
  return words;
}

std::string typed_in_bash(const std::string& word) {
  std::string typed;
  for (const char c : word)
    typed += (std::string_view(" ()'\"\\&;|<>$`*?[]{}!#").find(c) != std::string::npos ? "\\" : "") + std::string(1, c);
  return typed;
}

int answer(const Catalogue& catalogue, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return 0;
  const bool bash = arguments.front() == "bash";
  std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  if (bash) words = read_by_bash(words);
  for (const Proposal& one : proposals(catalogue, words)) {
    if (!one.word.starts_with(words.back())) continue;
    std::cout << (bash ? typed_in_bash(one.word) : one.word);
    if (!bash && !one.meaning.empty()) std::cout << '\t' << one.meaning;
    std::cout << '\n';
  }
  return 0;
}

}  // namespace

int completion_verb(const Call& call) {
  const std::string& program = call.catalogue.program();
  if (!call.arguments.empty() && call.arguments.front() == "answer")
    return answer(call.catalogue, {call.arguments.begin() + 1, call.arguments.end()});
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
  std::string function = "_" + program;
  std::replace_if(
      function.begin(), function.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  std::cout << fmt::format(fmt::runtime(find_row(shells(), options.words().front(), "completion").script),
                           fmt::arg("program", program), fmt::arg("function", function));
  return 0;
}

}  // namespace coterie::sim
