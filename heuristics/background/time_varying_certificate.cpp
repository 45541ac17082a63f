#include "heuristics/background/time_varying_certificate.hpp"

#include <cmath>

#include "core/rational.hpp"

namespace coterie::heuristics {
namespace {

/// value + slope * T_f
struct Affine {
  Rational value;
  Rational slope;

  Rational at(const Rational& finish) const { return value + slope * finish; }
  Affine operator+(const Affine& other) const { return {value + other.value, slope + other.slope}; }
  Affine operator-(const Affine& other) const { return {value - other.value, slope - other.slope}; }
};

/// The integral of a speed on one piece as a line: offset + speed * time.
struct Line {
  Rational offset;
  Rational speed;

  Line(const SpeedProfile& profile, std::size_t piece) : speed(profile.piece_speed(piece)) {
    for (std::size_t k = 0; k < piece; ++k)  // continuity: each speed change at t adds (s_k - s_{k+1}) t
      offset +=
          (Rational(profile.piece_speed(k)) - Rational(profile.piece_speed(k + 1))) * Rational(profile.begin(k + 1));
  }

  Affine at(const Affine& time) const { return {offset + speed * time.value, speed * time.slope}; }
};

bool contains(const SpeedProfile& profile, std::size_t piece, const Rational& time) {
  return time >= Rational(profile.begin(piece)) &&
         (piece + 1 == profile.pieces() || time <= Rational(profile.begin(piece + 1)));
}

struct Solution {
  Rational finish;
  std::vector<Rational> starts;
  bool inside = true;
};

/// The root of the linear system on the pieces where `finish` and `starts` lie.
Solution solve_piece(const TimeVaryingTree& tree, double finish, const std::vector<double>& starts) {
  const Affine end{0, 1};
  std::vector<Affine> times{{0, 0}};
  Affine sum = Line(tree.control, tree.control.piece(finish)).at(end);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const SpeedProfile& processor = tree.processors[i];
    const SpeedProfile& link = tree.links[i];
    const Line computing(processor, processor.piece(starts[i + 1]));
    const Line sending(link, link.piece(starts[i + 1]));
    const Affine sent_before = Line(link, link.piece(starts[i])).at(times.back());
    const Affine both = Line(processor, processor.piece(finish)).at(end) + sent_before;
    const Rational speed = computing.speed + sending.speed;
    const Affine start{(both.value - computing.offset - sending.offset) / speed, both.slope / speed};
    sum = sum + (sending.at(start) - sent_before);
    times.push_back(start);
  }
  Solution solution;
  if (sum.slope == 0) return {Rational(finish), {}, false};
  solution.finish = (1 - sum.value) / sum.slope;
  for (const Affine& time : times) solution.starts.push_back(time.at(solution.finish));
  solution.inside = contains(tree.control, tree.control.piece(finish), solution.finish);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const SpeedProfile& processor = tree.processors[i];
    const SpeedProfile& link = tree.links[i];
    solution.inside = solution.inside && contains(processor, processor.piece(finish), solution.finish) &&
                      contains(processor, processor.piece(starts[i + 1]), solution.starts[i + 1]) &&
                      contains(link, link.piece(starts[i + 1]), solution.starts[i + 1]) &&
                      contains(link, link.piece(starts[i]), solution.starts[i]);
  }
  return solution;
}

}  // namespace

RootCertificate certify(const TimeVaryingTree& tree, const TreeSchedule& schedule) {
  constexpr int kTries = 4;  // a time within rounding of a breakpoint may first be sought in the wrong piece
  double finish = schedule.finish_time;
  std::vector<double> starts = schedule.start_times;
  RootCertificate certificate;
  for (int attempt = 0; attempt < kTries && !certificate.holds; ++attempt) {
    const Solution solution = solve_piece(tree, finish, starts);
    if (solution.starts.empty()) break;
    certificate.holds = solution.inside;
    finish = to_double(solution.finish);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = to_double(solution.starts[i]);
    certificate.finish_time = finish;
    certificate.error = std::abs(to_double(solution.finish - Rational(schedule.finish_time)));
  }
  return certificate;
}

}  // namespace coterie::heuristics
