#include "core/expected_ratio.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <map>
#include <stdexcept>
#include <unsupported/Eigen/FFT>
#include <utility>
#include <vector>

#include "core/cancellation.hpp"
#include "core/capacity_cells.hpp"
#include "core/infinity.hpp"

namespace coterie {
namespace {

using Spectrum = Eigen::ArrayXcd;

/// Workers of one risk.
struct Part {
  const Risk* risk;
  std::size_t workers;
  std::vector<double> breaks;
};

/// A worker that has not completed a task by some time: its law is cut off there.
struct Loss {
  std::uint32_t part;
  double time;
  friend auto operator<=>(const Loss&, const Loss&) = default;
};

/// How many workers have which loss.
using Losses = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // loss, workers

/// Groups pieces that are lost in the same cases.
class Fates {
 public:
  Fates(const Schedule& schedule, std::span<const RiskPtr> risks) : pieces_(schedule.pieces()) {
    for (const RiskPtr& risk : risks) part_of(*risk, schedule.workers() / risks.size());
    for (std::size_t w = 0; w < schedule.workers() && known_; ++w) {
      cancellation_point();
      add(schedule.tasks(w), part_.at(risks[risks.size() == 1 ? 0 : w].get()), w + 1);
    }
    if (known_) group(schedule);
  }

  /// Whether there are few enough to compute.
  bool known() const { return known_; }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Loss>& losses() const { return losses_; }
  double least_piece() const { return least_piece_; }
  /// Total size of the pieces that are lost where these workers have these losses.
  const std::map<Losses, double>& sizes() const { return sizes_; }

 private:
  static constexpr std::size_t kMostExposures = 4'000'000;

  void part_of(const Risk& risk, std::size_t workers) {
    const auto [entry, fresh] = part_.try_emplace(&risk, static_cast<std::uint32_t>(parts_.size()));
    if (fresh) parts_.push_back({&risk, 0, risk.breaks()});
    parts_[entry->second].workers += workers;
  }

  void add(const TaskList& list, std::uint32_t part, std::size_t stamp) {
    for (std::size_t k = 0; k < list.tasks.size(); ++k) {
      if (parts_[part].risk->probability(list.finish[k]) >= 1) return;  // neither this task nor any later one is done
      const auto [loss, fresh] = loss_.try_emplace({part, list.finish[k]}, static_cast<std::uint32_t>(losses_.size()));
      if (fresh) losses_.push_back(loss->first);
      const Task& task = list.tasks[k];
      for (std::size_t piece = task.first_piece; piece < task.first_piece + std::size_t{task.pieces}; ++piece) {
        if (pieces_[piece].stamp == stamp) continue;  // only the first execution on a worker counts
        pieces_[piece].stamp = stamp;
        pieces_[piece].losses.push_back(loss->second);
        known_ = ++exposures_ <= kMostExposures;
        if (!known_) return;
      }
    }
  }

  void group(const Schedule& schedule) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      std::vector<std::uint32_t>& of_piece = pieces_[i].losses;
      if (of_piece.empty()) continue;
      std::sort(of_piece.begin(), of_piece.end());
      Losses losses;
      for (const std::uint32_t loss : of_piece) {
        if (losses.empty() || losses.back().first != loss) losses.emplace_back(loss, 0);
        ++losses.back().second;
      }
      sizes_[losses] += schedule.piece_sizes()[i];
      least_piece_ = std::min(least_piece_, schedule.piece_sizes()[i]);
      of_piece.clear();
    }
  }

  struct Piece {
    std::size_t stamp = 0;
    std::vector<std::uint32_t> losses;
  };
  std::vector<Piece> pieces_;
  std::map<const Risk*, std::uint32_t> part_;
  std::vector<Part> parts_;
  std::map<Loss, std::uint32_t> loss_;
  std::vector<Loss> losses_;
  std::map<Losses, double> sizes_;
  double least_piece_ = kInfinity;
  std::size_t exposures_ = 0;
  bool known_ = true;
};

class RatioSum {
 public:
  static constexpr std::size_t kPointsPerWorker = 64;
  static constexpr std::size_t kFirstPoints = 1 << 12;
  static constexpr std::size_t kLastPoints = 1 << 18;

  RatioSum(const Fates& fates, std::size_t workers, double startup, double work)
      : fates_(fates), workers_(workers), startup_(startup), work_(work) {
    for (const Part& part : fates.parts())
      greatest_ = std::max(greatest_, std::min(work, part.risk->horizon() - startup));
    for (const Loss& loss : fates.losses()) first_ = std::min(first_, loss.time - startup);
    work_alone_.resize(fates.parts().size());
    spectrum_of_.resize(fates.losses().size(), kNoSpectrum);
    products_ = 2 * static_cast<double>(fates.parts().size());
    for (const auto& [losses, size] : fates.sizes()) {
      if (is_alone(losses)) {
        alone_.emplace_back(losses.front().first, size);
        work_alone_[fates.losses()[losses.front().first].part] += size;
        continue;
      }
      for (const auto& [loss, count] : losses)
        if (spectrum_of_[loss] == kNoSpectrum) spectrum_of_[loss] = spectra_++;
      for (const auto& [loss, count] : losses) products_ += std::bit_width(count);
      for (const Part& part : fates.parts()) products_ += static_cast<double>(std::bit_width(part.workers));
    }
  }

  double operations(std::size_t points) const {
    const auto size = static_cast<double>(points);
    const auto spectra = static_cast<double>(2 * fates_.parts().size() + spectra_ + 2);
    return products_ * size / 2 + spectra * size * std::log2(size) + static_cast<double>(alone_.size()) * size / 4;
  }
  bool fits(std::size_t points) const {
    constexpr std::size_t kMostSpectra = 8'000'000;  // complex numbers
    return (spectra_ + 2 * fates_.parts().size()) * (points / 2 + 1) <= kMostSpectra;
  }

  /// E[A g(S)] on a lattice of so many points.
  BoundedNumber on(std::size_t points) const {
    const double period = std::min(static_cast<double>(workers_) * greatest_, 2 * work_);
    const CapacityLattice lattice = CapacityLattice::of(period, points, workers_, greatest_);
    const auto [all, completed] = laws(lattice);
    const auto workers = static_cast<double>(workers_);
    const double h = lattice.step;
    const double spread = std::sqrt(workers) * h;
    const double reach = h + spread;
    const double bend = std::max(first_, 2 * reach);
    if (bend >= work_) return {0, first_ >= work_ ? 0.0 : 1.0};
    double sum = 0;
    double added = 0;
    double left_out = 0;
    for (std::size_t k = 0; k < points; ++k) {
      const double s = h * static_cast<double>(k);
      if (s > work_ + reach) break;
      if (s < work_) sum += completed[k] * (s < bend ? (2 - s / bend) / bend - 1 / work_ : 1 / s - 1 / work_);
      if (s >= bend - reach) {
        const double least = std::max(bend, s - reach);
        added += completed[k] / least * workers * (h / least) * (h / least) / 3;
      }
      if (s >= work_ - reach) added += completed[k] / work_ * workers * (h / work_) / 3;
      if (bend > first_ && s < bend + spread) left_out += all[k] * 4 / 3;
    }
    added = std::max(added, 0.0);
    left_out = std::max(left_out, 0.0);
    const double returning = lattice.returning() * 2 * work_ / bend;
    return {sum + (left_out - added) / 2, (added + left_out) / 2 + returning};
  }

 private:
  static constexpr std::size_t kNoSpectrum = static_cast<std::size_t>(-1);

  /// Pieces that one worker has: the laws without them, weighted by their sizes, add up before they are transformed.
  static bool is_alone(const Losses& losses) { return losses.size() == 1 && losses.front().second == 1; }

  struct Laws {
    std::vector<double> all;        // P(S' = k h)
    std::vector<double> completed;  // E[A; S' = k h]
  };

  /// The law of a part where T < time.
  std::vector<double> cut_off(const std::vector<double>& areas, std::size_t number,
                              const CapacityLattice& lattice) const {
    const Loss& loss = fates_.losses()[number];
    const Part& part = fates_.parts()[loss.part];
    const double h = lattice.step;
    const double survives = part.risk->survival(loss.time);
    const double end = std::min(loss.time - startup_, greatest_);
    std::vector<double> cut;
    for (std::size_t c = 0; c < areas.size() && h * static_cast<double>(c) < end; ++c) {
      const double from = h * static_cast<double>(c);
      const double to = std::min(from + h, end);
      const bool partly = to < std::min(from + h, greatest_);
      const double area = partly ? survival_area(*part.risk, part.breaks, startup_, from, to) : areas[c];
      cut.push_back(std::max(0.0, area - survives * (to - from)));
    }
    return lattice.damped_masses(cut, part.risk->probability(loss.time));
  }

  Laws laws(const CapacityLattice& lattice) const {
    Eigen::FFT<double> transform;
    transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    const auto forward = [&](const std::vector<double>& masses) {
      cancellation_point();
      std::vector<std::complex<double>> spectrum;
      transform.fwd(spectrum, masses);
      return Spectrum(Eigen::Map<Spectrum>(spectrum.data(), static_cast<Eigen::Index>(spectrum.size())));
    };
    std::vector<std::vector<double>> areas;
    std::vector<Spectrum> whole;
    for (const Part& part : fates_.parts()) {
      areas.push_back(capacity_cells(*part.risk, startup_, greatest_, lattice.step));
      whole.push_back(forward(lattice.damped_masses(areas.back())));
    }
    std::vector<Spectrum> lost(spectra_);
    for (std::size_t l = 0; l < spectrum_of_.size(); ++l)
      if (spectrum_of_[l] != kNoSpectrum)
        lost[spectrum_of_[l]] = forward(cut_off(areas[fates_.losses()[l].part], l, lattice));
    std::vector<std::vector<double>> masses(fates_.parts().size(), std::vector<double>(lattice.points, 0));
    for (const auto& [l, size] : alone_) {
      const std::uint32_t part = fates_.losses()[l].part;
      const std::vector<double> cut = cut_off(areas[part], l, lattice);
      for (std::size_t k = 0; k < cut.size(); ++k) masses[part][k] += size * cut[k];
    }
    std::vector<Spectrum> alone;
    for (const std::vector<double>& sum : masses) alone.push_back(forward(sum));
    Spectrum all(whole.front().size());
    Spectrum completed(all.size());
    constexpr Eigen::Index kTogether = 512;  // of a spectrum: what is multiplied stays in the cache
    for (Eigen::Index first = 0; first < all.size(); first += kTogether) {
      cancellation_point();
      const Eigen::Index size = std::min(kTogether, all.size() - first);
      all.segment(first, size) = product(whole, lost, {}, first, size);
      completed.segment(first, size).setZero();
      for (const auto& [losses, work] : fates_.sizes())
        if (!is_alone(losses))
          completed.segment(first, size) +=
              work * (all.segment(first, size) - product(whole, lost, losses, first, size));
      for (std::size_t part = 0; part < alone.size(); ++part) {
        if (work_alone_[part] == 0) continue;
        completed.segment(first, size) +=
            work_alone_[part] * all.segment(first, size) -
            alone[part].segment(first, size) * product(whole, lost, {}, first, size, part);
      }
    }
    return {back(transform, all, lattice), back(transform, completed, lattice)};
  }

  /// Of the laws of all workers, those with a loss among them; but for one of the part `without`, if any.
  Spectrum product(const std::vector<Spectrum>& whole, const std::vector<Spectrum>& lost, const Losses& losses,
                   Eigen::Index first, Eigen::Index size, std::size_t without = kNoSpectrum) const {
    Spectrum result = Spectrum::Ones(size);
    std::vector<std::size_t> others;
    for (const Part& part : fates_.parts()) others.push_back(part.workers - (others.size() == without ? 1 : 0));
    for (const auto& [loss, workers] : losses) {
      multiply(result, lost[spectrum_of_[loss]].segment(first, size), workers);
      others[fates_.losses()[loss].part] -= workers;
    }
    for (std::size_t part = 0; part < others.size(); ++part)
      multiply(result, whole[part].segment(first, size), others[part]);
    return result;
  }

  static void multiply(Spectrum& result, Spectrum base, std::size_t exponent) {
    for (; exponent > 0; exponent >>= 1) {
      if (exponent & 1) result *= base;
      if (exponent > 1) base = base.square().eval();
    }
  }

  static std::vector<double> back(Eigen::FFT<double>& transform, const Spectrum& spectrum,
                                  const CapacityLattice& lattice) {
    std::vector<double> masses(lattice.points);
    transform.inv(masses, std::vector<std::complex<double>>(spectrum.begin(), spectrum.end()));
    lattice.restore(masses);
    return masses;
  }

  const Fates& fates_;
  std::size_t workers_;
  double startup_;
  double work_;
  double greatest_ = 0;
  double first_ = kInfinity;
  std::vector<std::pair<std::uint32_t, double>> alone_;  // loss, total size
  std::vector<double> work_alone_;                       // the same by part
  std::vector<std::size_t> spectrum_of_;                 // by loss
  std::size_t spectra_ = 0;                              // of losses
  double products_ = 0;                                  // for each number of a spectrum
};

constexpr double kDrawError = 0x1p-33;  // distance of a draw on a grid of 2^-32 from a uniform one

/// P(T <= time) as seen by draws, from quantiles; if a risk jumps, probability() is P(T < time).
double draws_up_to(const Risk& risk, double time) {
  if (time < 0) return 0;
  if (risk.horizon() <= time) return 1;
  double below = 0;
  for (double step = 0.5; step > 0x1p-60; step /= 2)
    if (risk.quantile(below + step) <= time) below += step;
  return below;
}

/// The most that one worker can do.
double greatest_part(std::span<const RiskPtr> risks, double startup, double work) {
  double greatest = 0;
  for (const RiskPtr& risk : risks) greatest = std::max(greatest, std::min(work, risk->horizon() - startup));
  return greatest;
}

}  // namespace

BoundedNumber any_capacity(std::span<const RiskPtr> risks, std::size_t workers, double startup, double work) {
  constexpr double kMostDoubt = 1e-6;
  constexpr double kRounding = 1e-11;  // as a part of the times
  const double reach = greatest_part(risks, startup, work);
  if (!(reach > 0)) return {0, 0};
  const double margin = kRounding * (startup + reach);
  std::map<const Risk*, std::size_t> alike;
  for (const RiskPtr& risk : risks) alike[risk.get()] += workers / risks.size();
  double least = 1;
  double greatest = 1;
  for (const RiskPtr& risk : risks) {
    cancellation_point();
    const auto count = static_cast<double>(std::exchange(alike[risk.get()], 0));
    if (count == 0) continue;
    least *= std::pow(draws_up_to(*risk, startup - margin), count);
    greatest *= std::pow(draws_up_to(*risk, startup + margin), count);
  }
  if (greatest - least > kMostDoubt) return {std::nan(""), std::nan("")};
  return {1 - (least + greatest) / 2, (greatest - least) / 2 + static_cast<double>(workers) * kDrawError + kRounding};
}

std::optional<BoundedNumber> expected_ratio(const Schedule& schedule, std::span<const RiskPtr> risks, double startup,
                                            double work, const RatioEffort& effort) {
  if (risks.size() != 1 && risks.size() != schedule.workers())
    throw std::invalid_argument("one risk for all workers or one each");
  const std::size_t workers = schedule.workers();
  if (!(greatest_part(risks, startup, work) > 0)) return BoundedNumber{1, 0};  // nobody gets beyond the start-up
  const BoundedNumber positive = any_capacity(risks, workers, startup, work);
  if (std::isnan(positive.value)) return std::nullopt;
  const Fates fates(schedule, risks);
  if (!fates.known()) return std::nullopt;
  // As a worker lives longer the ratio falls, except for jumps at its tasks: by at most part of what it has done by
  // then.
  const double jumps = fates.losses().empty() ? 0 : 1 + std::max(0.0, std::log(work / fates.least_piece()));
  constexpr double kRoundingError = 1e-9;  // of sums and transforms
  const double draws = static_cast<double>(workers) * (1 + 2 * jumps) * kDrawError;
  BoundedNumber ratio{1 - positive.value + expected_work(schedule, risks) / work,
                      positive.error + kRoundingError + draws};
  if (!fates.losses().empty()) {
    const RatioSum sum(fates, workers, startup, work);
    std::size_t points = std::max(RatioSum::kFirstPoints, std::bit_ceil(RatioSum::kPointsPerWorker * workers));
    const auto affordable = [&](std::size_t size) {
      return size <= RatioSum::kLastPoints && sum.fits(size) && sum.operations(size) <= effort.operations;
    };
    if (!affordable(points)) return std::nullopt;
    BoundedNumber rest = sum.on(points);
    while (rest.error > effort.tolerance && affordable(2 * points)) {
      // The error falls as the square of the step, where laws are smooth.
      std::size_t next = 2 * points;
      const double times = std::min(64.0, std::sqrt(rest.error / effort.tolerance));
      while (static_cast<double>(next) < times * static_cast<double>(points) && affordable(2 * next)) next *= 2;
      points = next;
      rest = sum.on(points);
    }
    if (rest.error > effort.most) return std::nullopt;
    ratio.value += rest.value;
    ratio.error += rest.error;
  }
  ratio.value = std::clamp(ratio.value, 0.0, 1.0);
  return ratio;
}

}  // namespace coterie
