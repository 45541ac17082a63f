#pragma once

#include <string>
#include <vector>

#include "sim/command_line/options.hpp"

namespace coterie::sim {

/// All that may be completed, the same for every shell: what --help prints.
struct CompletedProgram {
  /// A verb, or an action of one.
  struct Call {
    std::string words;  ///< "run", "trace info"
    VerbText text;
  };
  struct VerbLine {
    std::string name;
    std::string summary;
    std::vector<std::string> actions;  ///< what may follow; empty: options and words
  };
  std::string program;
  std::string function;  ///< "_coterie": prefix of function names in scripts
  std::vector<VerbLine> verbs;
  std::vector<Call> calls;
};

CompletedProgram completed_program(const Catalogue& catalogue);

/// The words, separated by blanks.
std::string spaced(const std::vector<std::string>& words);
/// The first line of a text in single quotes for a shell; `escaped_quote` replaces a quote inside.
std::string shell_quoted(const std::string& text, const std::string& escaped_quote);

std::string bash_completion(const CompletedProgram& program);
std::string zsh_completion(const CompletedProgram& program);
std::string fish_completion(const CompletedProgram& program);

}  // namespace coterie::sim
