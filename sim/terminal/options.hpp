#pragma once

#include <boost/program_options.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/terminal/verb.hpp"

namespace coterie::sim {

/// What may follow an option or stand for a word: used by completion, and by `choice` as what it allows.
struct Values {
  std::vector<std::string> words;     ///< one of these,
  bool file = false;                  ///< or a file,
  std::vector<std::string> suffixes;  ///< with one of these endings; empty: any
};

/// How to use a verb or an action of it (trace info): what --help prints, also for manual pages and completion.
struct VerbText {
  struct Option {
    std::string name;
    std::string meaning;
    bool takes_value = false;
    Values values;
  };
  std::string usage;    ///< "solve PROBLEM.toml [--format table|json]"
  std::string summary;  ///< some lines
  std::vector<Option> options;
  Values words;
  std::vector<std::string> actions;  ///< first words, each with options of its own
};

/// The text of a verb and, where it has actions, of one of them.
VerbText text_of(const Verb& verb, const Catalogue& catalogue, const std::string& action = "");

/// What run and merge write.
inline constexpr const char* kResultFile = "a result is an HDF5 file (coterie show prints it as a table, csv or json)";

/// The options of one verb on top of Boost.Program_options: no abbreviated names, stray words are errors,
/// `--help` on standard output. Errors are InputError.
class Options {
 public:
  /// `usage`: what follows "coterie", as in "solve PROBLEM.toml [--format table|json]".
  Options(std::string usage, std::string summary);

  /// The options to fill: `options.add()("format", po::value<std::string>(), "...")`.
  boost::program_options::options_description_easy_init add() { return named_.add_options(); }
  /// Declares positional words: at least `least`, at most `most` (-1: any number), called `name` in messages.
  /// NAME.SUFFIX is a file.
  void positional(const std::string& name, int least, int most);
  /// Declares the values that completion proposes for an option (name "": for words); `choice` allows nothing else.
  void propose(const std::string& name, std::vector<std::string> words) { values_of_[name].words = std::move(words); }
  /// Declares that an option (or a word) is a file.
  void file(const std::string& name, std::vector<std::string> suffixes = {});

  /// Returns false if there is nothing else to do: --help was asked for and printed, or the call wants only the text.
  bool parse(const Call& call);

  bool flag(const std::string& name) const { return values_[name].as<bool>(); }
  bool has(const std::string& name) const { return values_.count(name) > 0 && !values_[name].defaulted(); }
  /// The options that were given.
  std::vector<std::string> given() const;
  std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
  std::string text(const std::string& name, const std::string& otherwise) const {
    return values_.count(name) > 0 ? text(name) : otherwise;
  }
  std::vector<std::string> texts(const std::string& name) const;
  /// As if the option had been given.
  void set(const std::string& name, const std::string& text);
  /// A file to write. Throws InputError, saying `what` it is, if its name does not end as file() declared.
  std::string output(const std::string& name, const std::string& what) const;
  const std::vector<std::string>& words() const { return words_; }
  /// A finite number; InputError for any other text.
  double number(const std::string& name) const;
  double number(const std::string& name, double otherwise) const { return has(name) ? number(name) : otherwise; }
  /// A whole number of at least `least`, in digits or as 1e9.
  long long integer(const std::string& name, long long least) const;
  long long integer(const std::string& name, long long least, long long most) const;
  /// One of the proposed words; the first is the default.
  std::string choice(const std::string& name) const;

 private:
  VerbText described() const;

  std::string usage_;
  std::string summary_;
  boost::program_options::options_description named_;
  std::string positional_name_;
  int least_ = 0;
  int most_ = 0;
  std::map<std::string, Values> values_of_;  // by option; "" for words
  boost::program_options::variables_map values_;
  std::vector<std::string> words_;
};

}  // namespace coterie::sim
