#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace coterie::sim {

/// The options of one verb on top of Boost.Program_options: no abbreviated names, stray words are errors,
/// `--help` on standard output. Errors are InputError.
class Options {
 public:
  /// `usage`: what follows "coterie", as in "solve PROBLEM.toml [--format table|json]".
  Options(std::string usage, std::string summary);

  /// The options to fill: `options.add()("format", po::value<std::string>(), "...")`.
  boost::program_options::options_description_easy_init add() { return named_.add_options(); }
  /// Declares positional words: at least `least`, at most `most` (-1: any number), called `name` in messages.
  void positional(const std::string& name, int least, int most);

  /// Returns false where --help was asked for and printed: nothing else is to be done.
  bool parse(const std::vector<std::string>& arguments);

  bool flag(const std::string& name) const { return values_[name].as<bool>(); }
  bool has(const std::string& name) const { return values_.count(name) > 0 && !values_[name].defaulted(); }
  std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
  std::string text(const std::string& name, const std::string& otherwise) const {
    return values_.count(name) > 0 ? text(name) : otherwise;
  }
  std::vector<std::string> texts(const std::string& name) const;
  const std::vector<std::string>& words() const { return words_; }
  /// A finite number (the text of the option must be one); InputError otherwise.
  double number(const std::string& name) const;
  double number(const std::string& name, double otherwise) const { return has(name) ? number(name) : otherwise; }
  /// A whole number of at least `least`.
  long long integer(const std::string& name, long long least) const;
  /// One of `allowed`; the first is the default.
  std::string choice(const std::string& name, const std::vector<std::string>& allowed) const;

 private:
  std::string usage_;
  std::string summary_;
  boost::program_options::options_description named_;
  std::string positional_name_;
  int least_ = 0;
  int most_ = 0;
  boost::program_options::variables_map values_;
  std::vector<std::string> words_;
};

}  // namespace coterie::sim
