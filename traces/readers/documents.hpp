#pragma once

#include <deque>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "traces/readers/line_reader.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// The records of a file of JSON or XML.
/// - JSON: objects one after the other, each on a line or on several. Lists, and objects that only wrap records
/// (kubectl's
///   List, messages of queues and topics, CloudTrail's Records, sacct's jobs, ...), are unwrapped.
/// - XML: the elements `host` (BOINC) and `c` (HTCondor), wherever they are. Their children are the fields of a record:
///   text, or what <a n="name"><i>7</i></a> says; children with children of their own are left out.
class Documents {
 public:
  Documents(std::istream& input, const std::string& file) : lines_(input, file, "") {}

  /// Throws E_FIELDS, at the line where the value begins, if it is no record, no wrapper or not well-formed.
  bool next(nlohmann::json& record);
  /// Where the record, or what wraps it, begins.
  std::size_t line() const { return line_; }
  /// Throws InputError at that line.
  [[noreturn]] void fail(std::string_view code, const std::string& problem) const;

  /// The text at a path of keys such as "detail/instance-id". Throws E_FIELDS if there is none.
  std::string text(const nlohmann::json& record, std::string_view path) const;
  /// The time stamp there, in seconds. Throws E_FIELDS, E_NUMBER.
  double time(const nlohmann::json& record, std::string_view path) const;
  /// The same where the record need not have one.
  static std::optional<double> time_if_any(const nlohmann::json& record, std::string_view path);

 private:
  void read_json(std::string_view first);
  void read_xml(std::string_view first);
  void unwrap(nlohmann::json&& value, int depth);

  struct Record {
    nlohmann::json value;
    std::size_t line;
  };
  LineReader lines_;
  std::deque<Record> records_;
  std::size_t line_ = 0;
};

/// Whether a file begins as JSON or XML does. The input is left at its beginning.
bool holds_documents(std::istream& input);

/// What is at a path of keys; null if there is nothing.
const nlohmann::json* json_at(const nlohmann::json& object, std::string_view path);

/// The text at the first of these paths that has one; "" if none has.
std::string text_at(const nlohmann::json& object, std::initializer_list<std::string_view> paths);

/// The number there, also one written as text, or as Slurm's {"set": true, "number": 7}.
std::optional<double> number_at(const nlohmann::json& object, std::string_view path);

/// The same if it is a whole number.
std::optional<std::int64_t> integer_at(const nlohmann::json& object, std::string_view path);

}  // namespace coterie::traces
