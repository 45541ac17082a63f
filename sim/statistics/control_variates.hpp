#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/model_interface/model.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// A mean and its uncertainty.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double freedom = 0;      ///< degrees of freedom of the standard error
  double plain_error = 0;  ///< standard error of the plain mean of as many independent instances, see guarded_error
  double bound = 0;        ///< on an error that is not random: it does not average out over configurations

  /// Half-width of the 95 % interval: by Student's t, and the bound.
  double half_width() const;
  /// The standard error that gives that interval with Student's t alone.
  double whole_error() const;
  /// How many independent instances one run instance is worth for a plain mean of the same precision (that of values
  /// that are all alike has an error, too: guarded_error); 1 if the plain error is 0.
  double efficiency_gain() const;
};

/// Whether, judging by its efficiency gain, a mean is less precise than a plain one of as many independent instances;
/// neither error is known to better than a per cent.
inline bool is_worse_than_plain(double efficiency_gain) { return efficiency_gain < 0.99; }

/// The efficiency gain of several means together: the sum of the variances of their plain means by the sum of those
/// reached.
class PooledGain {
 public:
  /// `error`: the whole error of the mean that has this gain. Means of unknown gain or error are left out, and so are
  /// exact ones, whose plain variance their gain does not tell, if any other is not exact.
  void add(double gain, double error);
  double value() const;

 private:
  double plain_ = 0;
  double reached_ = 0;
  double of_exact_ = 1;  ///< the gain of exact means alone: infinite, 1 where plain means have no error, or NaN
};

/// The mean of a value over instances by regression on controls, values of the same instances whose means are known:
///   mean over i of y_i - b (c_i - E c),    b: the least-squares coefficients of y on c.
/// [Lavenberg and Welch 1981, Management Science 27, 322-335] The coefficients for the instances of a replicate
/// are those of all others, which makes the mean unbiased if replicates are of equal size [Avramidis and Wilson 1993,
/// Operations Research 41, 574-591].
/// The number of controls, from the first on, is also chosen among the other replicates: the one that leaves the least
/// variance where the coefficients were not fitted. Controls that are sums of others, or do not vary, are left out. All
/// are left out if rare large values dominate the mean of one and few or none of the others has such values (below 50
/// effective instances), or below kPerControl instances per coefficient. Controls that are 0 or 1 have no large values:
/// they are judged separately. Standard error: by the jackknife over replicates [Efron and Stein 1981, Annals of
/// Statistics 9, 586-596], because residuals do not show the error of coefficients that a few large values determine;
/// for independent instances that of the residuals if it is larger, which is safer. Sobol points whose replicates all
/// agree (though the values differ) tell no error: that of as many independent instances is taken, of the values or,
/// with controls, of the residuals. Possible errors of the known means give a bound, weighted by b. Depends only on the
/// values, in the order of the instances.
class ControlledMean {
 public:
  static constexpr std::size_t kMostControls = 6;
  static constexpr double kPerControl = 10;

  /// The most reliable controls first, beginning with the `indicators`, which are 0 or 1; a control whose mean is NaN
  /// is left out.
  ControlledMean(std::vector<BoundedNumber> means, Sampling sampling, std::size_t indicators = 0,
                 ValueRange range = ValueRange::kRatio);

  /// `controls`: as many as there are means.
  void add(std::uint64_t instance, double value, std::span<const double> controls);
  /// NaN without instances; standard errors are NaN with only one (for Sobol points: one replicate).
  MeanEstimate estimate() const;
  MeanEstimate plain() const;  ///< the same without controls

 private:
  using Vector = std::array<double, 1 + kMostControls>;  // the value, then the controls less their means
  struct Moments {
    double count = 0;
    Vector mean{};
    std::array<double, (1 + kMostControls) * (2 + kMostControls) / 2> products{};  // of deviations, i <= j

    void add(const Vector& values, std::size_t size);
    void add(const Moments& other, std::size_t size);
  };
  Moments all() const;
  Vector coefficients(const Moments& moments, std::size_t controls) const;
  std::array<Vector, kReplicates> coefficients_for_each() const;
  Moments residuals(const Moments& moments, const Vector& coefficients) const;
  double error_of_residuals(const std::array<Vector, kReplicates>& coefficients) const;
  double error_of_known(const std::array<Vector, kReplicates>& coefficients, double count) const;
  void put_jackknife(const std::array<Vector, kReplicates>& coefficients, MeanEstimate& estimate) const;

  std::vector<BoundedNumber> means_;
  std::vector<std::size_t> used_;  // controls with a known mean
  std::size_t indicators_;         // of these
  Sampling sampling_;
  std::array<Moments, kReplicates> moments_{};
  ValueMoments values_;
  ValueRange range_;
};

/// How many of the controls of a ratio, from the first on, are 0 or 1.
inline constexpr std::size_t kIndicators = 1;
/// The controls of the ratio of one strategy: whether there is any capacity (an indicator), work completed, reference,
/// capacity, its squared deviation from its mean.
std::vector<BoundedNumber> ratio_control_means(const Controls::Means& means, double expected_work);
std::array<double, 5> ratio_controls(const Controls::Means& means, double ratio, double reference, double capacity);

}  // namespace coterie::sim
