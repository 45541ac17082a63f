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
  std::string default_value;  ///< "" if the campaign must give the axis; one of this canonical text is in no identity
  std::string range;          ///< for `coterie list`: "> 0", "one or several"
  bool draws = true;          ///< whether another value gives other instances
  bool of_worker = false;     ///< whether it describes workers: findings about such workers are cached
};

/// A value of one axis.
struct AxisValue {
  std::string axis;       ///< its name
  std::string text;       ///< as the user may write it again; numbers in shortest form
  std::string canonical;  ///< used for the identity; the text, unless the model sets it
  double number = std::numeric_limits<double>::quiet_NaN();
  Place place;  ///< where the campaign wrote it
};

/// A value of an axis as JSON: whole numbers without a point, texts as texts.
nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value);

/// At most one value per axis, in the order of the names of axes. Copies share the values: a grid has few distinct
/// values in a million configurations.
class AxisValues {
 public:
  using Shared = std::shared_ptr<const AxisValue>;

  /// Replaces the value of its axis, if there is one.
  void set(Shared value);
  void set(AxisValue value) { set(std::make_shared<const AxisValue>(std::move(value))); }
  void set_canonical(const std::string& axis, const std::string& canonical);
  void remove(const std::string& axis);

  const AxisValue* find(const std::string& axis) const;
  /// Throws std::out_of_range if the axis has none (a bug).
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
  std::string canonical;  ///< the text of which `identity` is the hash
  std::string key;        ///< distinguishes it from all other configurations and identities, in any campaign

  double number(const std::string& axis) const { return values.at(axis).number; }
  const std::string& text(const std::string& axis) const { return values.at(axis).text; }
  const Place& place(const std::string& axis) const { return values.at(axis).place; }
};

}  // namespace coterie::sim
