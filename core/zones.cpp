#include "core/zones.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "core/cancellation.hpp"
#include "core/contract.hpp"

namespace coterie {
namespace {

/// The workers of a zone: list, risk (by the first worker that has it), and how many have both.
using Company = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>>;

/// Pieces that workers of a zone run for the first time in one task.
struct Copies {
  double survival = 0;  ///< of one of the workers, until the task ends
  std::uint32_t first_piece = 0;
  std::uint32_t pieces = 0;
  std::uint32_t workers = 0;
};

/// By worker, the first one that has the same risk; a single one for all workers.
std::vector<std::uint32_t> first_of_risks(std::span<const RiskPtr> risks) {
  std::map<const Risk*, std::uint32_t> first;
  std::vector<std::uint32_t> firsts;
  for (std::size_t w = 0; w < risks.size(); ++w)
    firsts.push_back(first.try_emplace(risks[w].get(), static_cast<std::uint32_t>(w)).first->second);
  return firsts;
}

/// Zones by what their workers have to do, and how many are alike, in an order that depends on nothing else.
std::map<Company, std::size_t> alike_zones(const Schedule& schedule, std::span<const RiskPtr> risks,
                                           const Zones& zones) {
  const std::vector<std::uint32_t> risk_of = first_of_risks(risks);
  std::map<Company, std::size_t> alike;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> here;
  const std::size_t workers = schedule.workers();
  for (std::size_t w = 0; w < workers; ++w) {
    ++here[{schedule.list_of(w), risk_of[risks.size() == 1 ? 0 : w]}];
    if (w + 1 < workers && zones.of(w + 1, workers) == zones.of(w, workers)) continue;
    Company company;
    for (const auto& [what, count] : here) company.emplace_back(what.first, what.second, count);
    ++alike[std::move(company)];
    here.clear();
  }
  return alike;
}

/// The probabilities that a zone loses all of its copies, piece by piece.
class ZoneLosses {
 public:
  ZoneLosses(const Schedule& schedule, std::span<const RiskPtr> risks, double common)
      : schedule_(schedule), risks_(risks), common_(common), fates_(schedule.pieces()) {}

  void add(std::uint32_t list, std::uint32_t risk, std::size_t workers) {
    cancellation_point();
    ++stamp_;
    const auto& [tasks, finish] = schedule_.lists()[list];
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      const double survival = risks_[risk]->survival(finish[k]);
      if (!(survival > 0)) break;  // neither this task nor any later one is ever done
      const std::size_t end = std::size_t{tasks[k].first_piece} + tasks[k].pieces;
      for (std::size_t piece = tasks[k].first_piece; piece < end;) {
        const std::size_t first = piece;
        while (piece < end && fates_[piece].seen != stamp_) fates_[piece++].seen = stamp_;
        if (piece > first)
          copies_.push_back({survival, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(piece - first),
                             static_cast<std::uint32_t>(workers)});
        else
          ++piece;  // only the first execution on a worker counts
      }
    }
  }

  /// Multiplies each piece's `lost` by its probability for each of `zones` zones, and forgets the copies.
  void multiply_into(std::vector<double>& lost, std::size_t zones) {
    // In an order that depends on nothing but the copies, without room for another list of them.
    std::sort(copies_.begin(), copies_.end(), [](const Copies& a, const Copies& b) {
      return std::tie(b.survival, a.first_piece, a.pieces, a.workers) <
             std::tie(a.survival, b.first_piece, b.pieces, b.workers);
    });
    double survival = 1;
    double of_zone = 1;  // survival^rho
    double own_loss = 0;
    for (const Copies& copies : copies_) {
      if (copies.survival != survival) {
        survival = copies.survival;
        of_zone = std::pow(survival, common_);
        own_loss = -std::expm1((1 - common_) * std::log(survival));
      }
      const double factor = copies.workers == 1 ? own_loss : std::pow(own_loss, static_cast<double>(copies.workers));
      for (std::size_t piece = copies.first_piece; piece < copies.first_piece + std::size_t{copies.pieces}; ++piece) {
        Fate& fate = fates_[piece];
        fate.lost += (fate.level - of_zone) * fate.own;
        fate.own *= factor;
        fate.level = of_zone;
      }
    }
    for (const Copies& copies : copies_)
      for (std::size_t piece = copies.first_piece; piece < copies.first_piece + std::size_t{copies.pieces}; ++piece) {
        Fate& fate = fates_[piece];
        if (!fate.open()) continue;  // multiplied already
        const double all = fate.lost + fate.level * fate.own;
        lost[piece] *= zones == 1 ? all : std::pow(all, static_cast<double>(zones));
        fate.close();
      }
    copies_.clear();
  }

 private:
  /// Of a piece in the zone: copies are added in the order of their ends.
  struct Fate {
    double lost = 0;   // where the zone's part falls before the last copy
    double own = 1;    // all copies are lost by their own parts
    double level = 1;  // s^rho of the last copy
    std::size_t seen = 0;

    bool open() const { return level < 1 || own < 1; }
    void close() {
      lost = 0;
      own = 1;
      level = 1;
    }
  };

  const Schedule& schedule_;
  std::span<const RiskPtr> risks_;
  double common_;
  std::vector<Fate> fates_;
  std::vector<Copies> copies_;
  std::size_t stamp_ = 0;
};

}  // namespace

double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks, const Zones& zones) {
  COTERIE_REQUIRE(zones.count >= 1 && zones.common >= 0 && zones.common <= 1);
  if (!zones.bind(schedule.workers())) return expected_work(schedule, risks);
  if (risks.size() != 1 && risks.size() != schedule.workers())
    throw std::invalid_argument("one risk for all workers or one each");
  ZoneLosses losses(schedule, risks, zones.common);
  std::vector<double> lost(schedule.pieces(), 1);
  for (const auto& [company, count] : alike_zones(schedule, risks, zones)) {
    for (const auto& [list, risk, workers] : company) losses.add(list, risk, workers);
    losses.multiply_into(lost, count);
  }
  double sum = 0;
  for (std::size_t i = 0; i < lost.size(); ++i) sum += schedule.piece_sizes()[i] * (1 - lost[i]);
  return std::min(sum, schedule.deployed_work());
}

}  // namespace coterie
