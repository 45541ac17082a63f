#include <fmt/format.h>

#include <iostream>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "core/wrapped.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {
namespace {

void print_help(const std::string& program) {
  std::cout << fmt::format(
      "{0} shares a divisible workload among computers that may be interrupted.\n\n"
      "Usage: {0} VERB [...]     (for more: {0} VERB --help)\n\n",
      program);
  constexpr std::size_t kIndent = 14;
  const auto row = [](const std::string& name, const std::string& meaning) {
    std::cout << hanging("  " + name, kIndent, meaning) << '\n';
  };
  for (const auto& verb : verbs()) row(verb.name, verb.summary);
  std::cout << '\n';
  row("--version", "version, git revision, compiler, libraries");
  row("--help", "this text (also -h); after a verb, how to use that verb");
}

}  // namespace

const Verb& find_verb(const std::string& program, std::string_view name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  names.insert(names.end(), {"--help", "--version"});
  throw InputError(fmt::format("unknown verb \"{}\"{} (see {} --help)", name, suggestion(name, names), program));
}

int help_verb(const Call& call) {
  const std::string& program = call.catalogue.program();
  Options options("help [VERB [ACTION]]", "Lists all verbs, or shows how to use one verb or one action of trace.");
  options.positional("VERB", 0, 2);
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  options.propose("", names);
  if (!options.parse(call)) return 0;
  std::vector<std::string> words = options.words();
  if (words.empty()) {
    print_help(program);
    return 0;
  }
  const Verb& verb = find_verb(program, words.front());
  if (words.size() > 1 && verb.name != "trace")
    throw InputError(
        fmt::format("stray word \"{}\": {} has no actions (see {} help {})", words[1], verb.name, program, verb.name));
  words.erase(words.begin());
  words.push_back("--help");
  return verb.run({call.catalogue, words});
}

}  // namespace coterie::sim
