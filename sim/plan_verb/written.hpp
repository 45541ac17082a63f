#pragma once

#include <string>
#include <vector>

#include "sim/input/toml_document.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// What a user wrote, by the keys of a question file.
class Written {
 public:
  virtual ~Written() = default;
  virtual bool has(const std::string& key) const = 0;
  virtual std::string text(const std::string& key) = 0;
  /// A list, or one text.
  virtual std::vector<std::string> texts(const std::string& key) = 0;
  virtual Place place(const std::string& key) const = 0;
  /// As messages call the key.
  virtual std::string called(const std::string& key) const = 0;
};

/// On the command line: most options have the name of the key.
class WrittenOptions final : public Written {
 public:
  explicit WrittenOptions(const Options& options) : options_(options) {}
  bool has(const std::string& key) const override { return options_.has(option(key)); }
  std::string text(const std::string& key) override { return options_.text(option(key)); }
  std::vector<std::string> texts(const std::string& key) override;
  Place place(const std::string&) const override { return {}; }
  std::string called(const std::string& key) const override { return "--" + option(key); }

 private:
  std::string option(const std::string& key) const;

  const Options& options_;
};

/// In tables of a question file: a key stands in one of them.
class WrittenTables final : public Written {
 public:
  explicit WrittenTables(std::vector<TomlTable> tables) : tables_(std::move(tables)) {}
  bool has(const std::string& key) const override { return find(key) != nullptr; }
  std::string text(const std::string& key) override;
  std::vector<std::string> texts(const std::string& key) override;
  Place place(const std::string& key) const override;
  std::string called(const std::string& key) const override { return key; }

 private:
  const TomlTable* find(const std::string& key) const;
  TomlValue value(const std::string& key) const;

  std::vector<TomlTable> tables_;
};

}  // namespace coterie::sim
