#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/rational.hpp"

namespace coterie::sim {

/// A value of a TOML file as the user wrote it: a number, a text, or a list of these; with its place.
struct TomlValue {
  enum class Kind { kText, kInteger, kReal, kBoolean, kList, kTable };
  Kind kind = Kind::kText;
  std::string text;     ///< text, or the number in its shortest form ("0.1", "inf", "true")
  std::string decimal;  ///< a real as it is written, where its shortest form may be another number
  double number = 0;
  std::vector<TomlValue> list;
  Place place;

  bool is_number() const { return kind == Kind::kInteger || kind == Kind::kReal; }
};

/// The whole text of a file; throws RuntimeError if it cannot be read.
std::string read_text_file(const std::string& path);

/// One table of a TOML file. Every key that is read is marked; `finish` refuses the others, so that
/// nothing the user wrote is ignored. All readers throw InputError with the place of the value.
class TomlTable {
 public:
  /// Reads a file; InputError for text that is not TOML, RuntimeError for a file that cannot be read.
  static TomlTable read(const std::string& path);
  /// The same from text already in memory; `name` stands for the file in messages.
  static TomlTable parse(const std::string& text, const std::string& name);

  /// Replaces a key of the file. `value` is TOML, or a bare word that is taken as text. InputError for a list, a table,
  /// a quoted text or a number that is not TOML, unless `any_word`: that is text, too.
  void set(const std::string& key, const std::string& value, const Place& place, bool any_word = false);

  bool has(const std::string& key) const;
  /// Keys in the order of the file.
  std::vector<std::string> keys() const;
  Place place() const;
  Place place(const std::string& key) const;
  /// The file's directory, for paths relative to it ("" for the current one).
  std::string directory() const;

  /// A number, or a text fraction such as "1/3" or "inf". Throws if the key is missing or has another type.
  double number(const std::string& key);
  double number(const std::string& key, double otherwise);
  /// The same, exactly: a decimal has its written value (0.1 is 1/10). Finite.
  Rational rational(const std::string& key);
  std::int64_t integer(const std::string& key);
  std::int64_t integer(const std::string& key, std::int64_t otherwise);
  std::string text(const std::string& key);
  std::string text(const std::string& key, const std::string& otherwise);
  bool boolean(const std::string& key, bool otherwise);
  std::vector<double> numbers(const std::string& key);
  std::vector<Rational> rationals(const std::string& key);
  std::vector<std::int64_t> integers(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  /// The value, of any kind.
  TomlValue value(const std::string& key);

  TomlTable table(const std::string& key);
  /// A list of tables ([[worker]]); empty if the key is missing.
  std::vector<TomlTable> tables(const std::string& key);

  /// Throws InputError at the first key that was never read, here or in a nested table, and suggests the nearest
  /// known key.
  void finish() const;

  /// For custom readers: fails at the place of `key`.
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  struct Node;
  explicit TomlTable(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  const TomlValue& at(const std::string& key, const char* expected);
  const std::vector<TomlValue>& list_at(const std::string& key, const char* expected);
  double number_of(const TomlValue& value, const std::string& key) const;
  Rational rational_of(const TomlValue& value, const std::string& key) const;
  std::int64_t integer_of(const TomlValue& value, const std::string& key) const;

  std::shared_ptr<Node> node_;
};

}  // namespace coterie::sim
