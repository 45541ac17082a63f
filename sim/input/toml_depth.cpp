#include "sim/input/toml_depth.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

/// Goes over a text as TOML would, but for what is wrong in it, and counts.
class DepthCheck {
 public:
  DepthCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'')
        skip_string(c);
      else if (c == '#')
        skip_to(text_.find('\n', at_));
      else
        step(c);
      if (header_ + within() + parts_ > kMostTomlDepth)
        throw InputError(
            {name_, line_, at_ - line_begin_},
            fmt::format("tables, lists or parts of a key are nested more than {} deep here", kMostTomlDepth));
    }
  }

 private:
  int within() const { return open_.empty() ? 0 : open_.back(); }

  void step(char c) {
    ++at_;
    if (c == '\n') {
      ++line_;
      line_begin_ = at_;
      if (open_.empty()) end_line();
    } else if (c == '[' && open_.empty() && !line_begun_) {
      in_header_ = true;
      header_ = 0;
    } else if ((c == '[' && !in_header_) || c == '{') {
      open_.push_back(within() + parts_);
      parts_ = 1;
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      open_.pop_back();
      parts_ = 1;
    } else if (c == '.') {
      ++parts_;
    } else if (c == ',') {
      parts_ = 1;
    }
    if (c != ' ' && c != '\t' && c != '\n') line_begun_ = true;
  }

  void end_line() {
    if (in_header_) header_ = parts_;
    in_header_ = false;
    parts_ = 1;
    line_begun_ = false;
  }

  void skip_to(std::size_t end) { at_ = end == std::string_view::npos ? text_.size() : end; }

  /// One with three quotes may go over lines; where a string does not end, the parser will say so.
  void skip_string(char quote) {
    line_begun_ = true;
    const bool several = text_.substr(at_, 3) == std::string(3, quote);
    at_ += several ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !several) return;
      if (several ? text_.substr(at_, 3) == std::string(3, quote) : c == quote) {
        at_ += several ? 3 : 1;
        for (int more = 0; several && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
        return;
      }
      ++at_;
      if (c == '\\' && quote == '"' && at_ < text_.size() && text_[at_] != '\n') ++at_;
      if (c == '\n') {
        ++line_;
        line_begin_ = at_;
      }
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::vector<int> open_;  // depth at each bracket that is open
  int header_ = 0;         // parts of the last [header]
  int parts_ = 1;          // of the key at hand
  bool in_header_ = false;
  bool line_begun_ = false;
};

}  // namespace

void check_toml_depth(const std::string& text, const std::string& name) { DepthCheck(text, name).run(); }

}  // namespace coterie::sim
