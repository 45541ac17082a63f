#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/errors.hpp"

namespace coterie::sim {

/// One axis of a model's campaigns.
struct Axis {
  enum class Kind { kWhole, kNumber, kText };
  std::string name;
  Kind kind = Kind::kNumber;
  std::string unit;           ///< for the result file
  std::string long_name;      ///< for the result file and `coterie list`
  std::string default_value;  ///< in canonical form; "" where the campaign must give the axis
  std::string range;          ///< for `coterie list`: "> 0", "one or several"
  bool draws = true;          ///< whether another value makes other instances
  bool of_worker = false;     ///< whether it says what a worker is: what is found of such workers is remembered
};

/// A value of one axis.
struct AxisValue {
  std::string axis;       ///< its name
  std::string text;       ///< as the user may write it again; numbers in shortest form
  std::string canonical;  ///< what the identity is made of; the text unless the model puts it otherwise
  double number = std::numeric_limits<double>::quiet_NaN();
  Place place;  ///< where the campaign wrote it
};

/// A value of an axis as JSON: whole numbers without a point, texts as texts.
nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value);

/// At most one value of each axis, in the order of the axes' names. Copies share the values: a grid has a few of them
/// in a million configurations.
class AxisValues {
 public:
  using Shared = std::shared_ptr<const AxisValue>;

  /// In place of the value that its axis had, if any.
  void set(Shared value);
  void set(AxisValue value) { set(std::make_shared<const AxisValue>(std::move(value))); }
  void set_canonical(const std::string& axis, const std::string& canonical);
  void remove(const std::string& axis);

  const AxisValue* find(const std::string& axis) const;
  /// Throws std::out_of_range where the axis has none (a bug).
  const AxisValue& at(const std::string& axis) const;
  std::vector<Shared>::const_iterator begin() const { return values_.begin(); }
  std::vector<Shared>::const_iterator end() const { return values_.end(); }

 private:
  std::vector<Shared> values_;
};

/// One setting of all axes of a model.
struct Configuration {
  AxisValues values;
  std::uint64_t identity = 0;
  std::string canonical;  ///< the text that `identity` is the hash of
  std::string key;        ///< tells it from all other configurations and identities, in whatever campaign

  double number(const std::string& axis) const { return values.at(axis).number; }
  const std::string& text(const std::string& axis) const { return values.at(axis).text; }
  const Place& place(const std::string& axis) const { return values.at(axis).place; }
};

}  // namespace coterie::sim
