#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/model_interface/model.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// A mean and how far to trust it.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double freedom = 0;      ///< degrees of freedom of the standard error
  double plain_error = 0;  ///< standard error of the plain mean of as many independent instances, see guarded_error
  double bound = 0;        ///< on an error that is not random: it does not average out over configurations

  /// Half-width of the 95 % interval: by Student's t, and the bound.
  double half_width() const;
  /// The standard error of which Student's t alone makes that interval.
  double whole_error() const;
  /// How many independent instances, for one that was run, give a plain mean as precise as this; 1 where all are alike.
  double efficiency_gain() const;
};

/// Whether by its efficiency gain a mean is less precise than a plain one of as many independent instances; neither
/// error is known to better than a per cent.
inline bool is_worse_than_plain(double efficiency_gain) { return efficiency_gain < 0.99; }

/// The mean of a value over instances by regression on controls, values of the same instances whose means are known:
///   mean over i of y_i - b (c_i - E c),    b: of the least squares of y on c.
/// [Lavenberg and Welch 1981, Management Science 27, 322-335] The coefficients for the instances of a replicate
/// are those of all others, which makes the mean unbiased [Avramidis and Wilson 1993, Operations Research 41, 574-591].
/// Among the others, too, it is tried how many of the controls, from the first on, leave the least variance where they
/// were not fitted. Controls that are sums of others, or do not vary, are left
/// out, and all of them where rare great values make the mean of one and few or no others have such (below 50 effective
/// instances), or below kPerControl instances a coefficient. Controls that are 0 or 1 have no great values: they are
/// judged by themselves. Standard error: by the jackknife over replicates [Efron and Stein 1981, Annals of Statistics
/// 9, 586-596], because residuals know nothing of how far the coefficients are off that a few great values make; of
/// independent instances that of the residuals where it is greater, for that is surer. Errors that the known means may
/// have are a bound, as b gives them weight. Depends on nothing but the values, in the order of the instances.
class ControlledMean {
 public:
  static constexpr std::size_t kMostControls = 6;
  static constexpr double kPerControl = 10;

  /// The most reliable controls first, of these the `indicators`, which are 0 or 1; one whose mean is NaN is left out.
  ControlledMean(std::vector<BoundedNumber> means, Sampling sampling, std::size_t indicators = 0,
                 ValueRange range = ValueRange::kRatio);

  /// `controls`: as many as there are means.
  void add(std::uint64_t instance, double value, std::span<const double> controls);
  /// NaN where there is no instance; standard errors are NaN where there is but one (of Sobol points: replicate).
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

/// How many of the controls of a ratio, the first ones, are 0 or 1.
inline constexpr std::size_t kIndicators = 1;
/// The controls of the ratio of one strategy: whether there is any capacity (an indicator), work completed, reference,
/// capacity, its squared deviation from its mean.
std::vector<BoundedNumber> ratio_control_means(const Controls::Means& means, double expected_work);
std::array<double, 5> ratio_controls(const Controls::Means& means, double ratio, double reference, double capacity);

}  // namespace coterie::sim
