#include "sim/input/platform_laws.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/infinity.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

class ConstantLaw final : public PlatformLaw {
 public:
  explicit ConstantLaw(double value) : value_(value) {}
  double quantile(double) const override { return value_; }
  std::string text() const override { return fmt::format("constant(value={})", to_text(value_)); }

 private:
  double value_;
};

class UniformLaw final : public PlatformLaw {
 public:
  UniformLaw(double low, double high) : low_(low), high_(high) {}
  double quantile(double u) const override { return low_ + u * (high_ - low_); }
  std::string text() const override { return fmt::format("uniform(low={}, high={})", to_text(low_), to_text(high_)); }

 private:
  double low_;
  double high_;
};

class LogUniformLaw final : public PlatformLaw {
 public:
  LogUniformLaw(double low, double high) : low_(low), high_(high), log_ratio_(std::log(high / low)) {}
  double quantile(double u) const override {
    if (u == 1) return high_;
    if (std::isinf(log_ratio_)) return std::exp((1 - u) * std::log(low_) + u * std::log(high_));
    return low_ * std::exp(u * log_ratio_);
  }
  std::string text() const override {
    return fmt::format("log-uniform(low={}, high={})", to_text(low_), to_text(high_));
  }

 private:
  double low_;
  double high_;
  double log_ratio_;
};

PlatformLawPtr make_constant(const Expression& expression) {
  if (expression.word("value") == "inf") return std::make_shared<ConstantLaw>(kInfinity);
  const double value = expression.number("value");
  if (!(value > 0))
    throw InputError(expression.place(), fmt::format("constant: value must be above 0, not {}", to_text(value)));
  return std::make_shared<ConstantLaw>(value);
}

template <class Law>
PlatformLawPtr make_between(const Expression& expression) {
  const double low = expression.number("low");
  const double high = expression.number("high");
  if (!(low > 0 && low <= high))
    throw InputError(expression.place(), fmt::format("{}: must have 0 < low <= high, not low = {}, high = {}",
                                                     expression.name(), to_text(low), to_text(high)));
  return std::make_shared<Law>(low, high);
}

const std::vector<Parameter> kBetween = {{"low", "", "", "> 0", "the smallest value"},
                                         {"high", "", "", ">= low", "the greatest value"}};

}  // namespace

const std::vector<PlatformLawKind>& platform_laws() {
  static const std::vector<PlatformLawKind> table = {
      {"constant", "the same for all machines", {{"value", "", "", "> 0, or inf", "that value"}}, make_constant},
      {"uniform", "uniform between two values", kBetween, make_between<UniformLaw>},
      {"log-uniform", "its logarithm is uniform: as often in [1, 2] as in [10, 20]", kBetween,
       make_between<LogUniformLaw>},
  };
  return table;
}

PlatformLawPtr make_platform_law(const Expression& expression) {
  const auto& kind = find_row(platform_laws(), expression.name(), "law", expression.place());
  expression.allow_only(names_of(kind.parameters));
  return kind.make(expression);
}

}  // namespace coterie::sim
