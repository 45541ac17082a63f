#include "sim/report/report_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace coterie::sim {
namespace {

bool is_ahead(const Model& model, double a, double b) { return model.words().least_is_best ? a < b : a > b; }

const Model& model_of(const ResultFile& result) {
  return result.catalogue().model(result.file().text_attribute("model"));
}

/// After the point, in per cent: no more than an interval of so many points on each side bears, and enough that
/// rounding does not leave it.
int digits_for(double points) {
  constexpr int kMost = 9;
  if (!(points > 0)) return points == 0 ? 3 : 1;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(2 * points))), 1, kMost);
}

/// Of a ratio, in per cent.
std::string percent(double value, double half_width) {
  return fmt::format("{:.{}f}", 100 * value, digits_for(100 * half_width));
}

/// The sentences on one result.
class Words {
 public:
  Words(const ResultFile& result, const Headline& headline, std::vector<const ResultGroup*> cells,
        std::ptrdiff_t baseline)
      : result_(result),
        headline_(headline),
        cells_(std::move(cells)),
        order_(headline.ranked),
        baseline_(baseline),
        model_(model_of(result)),
        metric_(!headline.axis.empty() && headline.axis == metric_axis(model_)
                    ? metric_of(model_, std::vector{headline.value})
                    : metric_of(result)) {
    if (order_.empty()) return;
    means_ = difference_ = std::vector<Average>(result.strategies().size(), Average(errors_of(result)));
    for (const ResultGroup* cell : cells_)
      for (std::size_t s = 0; s < means_.size(); ++s) {
        means_[s].add(cell->ratio[s]);
        difference_[s].add(cell->differences[0][s]);
      }
  }

  std::string text() const {
    if (order_.empty()) return "Nothing has been run yet.";
    if (average([](const ResultGroup& cell) { return cell.reference; }) == 0)
      return fmt::format("In all instances that were run {}'s {} is 0: strategies cannot be compared.",
                         metric_.reference, metric_.of_reference);
    std::string text = leader();
    if (order_.size() == 1) return text + ceilings();
    text += follower(order_[1]);
    if (baseline_ >= 0 && place_of(baseline_) > 1) text += follower(static_cast<std::size_t>(baseline_));
    const std::size_t last = order_.back();
    if (order_.size() > 2 && static_cast<std::ptrdiff_t>(last) != baseline_)
      text += is_behind(last) ? fmt::format(" {} comes last with {}.", result_.strategies()[last], value(last))
                              : follower(last);
    return text + ceilings();
  }

 private:
  std::size_t configurations() const { return means_.front().count(); }
  /// Of what cells tell, over all configurations.
  template <class Of>
  double average(const Of& of) const {
    double sum = 0;
    for (const ResultGroup* cell : cells_) sum += of(*cell) * static_cast<double>(cell->configurations());
    return sum / static_cast<double>(configurations());
  }
  std::size_t place_of(std::ptrdiff_t strategy) const {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), static_cast<std::size_t>(strategy)) -
                                    order_.begin());
  }
  std::string name(std::size_t s) const {
    return result_.strategies()[s] + (static_cast<std::ptrdiff_t>(s) == baseline_ ? " (the baseline)" : "");
  }
  std::string value(std::size_t s) const {
    const Average& mean = means_[s];
    return percent(mean.mean(), mean.half_width()) + " %";
  }

  /// "greedy reaches 85.2 %", or "greedy's work returned is 85.2 %" where that is compared with something else.
  std::string comes_to(std::size_t s) const {
    const std::string verb = !metric_.same_of_reference()   ? "'s " + metric_.name + " is"
                             : model_.words().least_is_best ? " needs"
                                                            : " reaches";
    return fmt::format("{}{} {}", name(s), verb, value(s));
  }

  /// "On average over 8 configurations greedy reaches 85.2 % of omniscient's work completed, the most of 3 strategies."
  std::string leader() const {
    const std::size_t first = order_.front();
    const std::size_t configurations = this->configurations();
    const std::string which = headline_.axis.empty() ? "" : fmt::format("with {} {} ", headline_.axis, headline_.value);
    std::string text =
        (configurations == 1 ? "In the one configuration " + (which.empty() ? "here " : which)
                             : fmt::format("On average over {} configurations {}", configurations, which));
    if (!result_.complete()) text = "So far: " + text;
    text += fmt::format("{} of {}'s {}", comes_to(first), metric_.reference, metric_.of_reference);
    if (const double half = 100 * means_[first].half_width(); half > 0)
      text += fmt::format(" (95 % interval: ± {:.2g} points)", half);
    else if (const std::string note = means_[first].note(); !note.empty())
      text += fmt::format(" ({})", note);
    if (order_.size() == 1) return text + "; it is the only strategy.";
    text += fmt::format(", the {} of {} strategies", model_.words().least_is_best ? "least" : "most", order_.size());
    if (cells_.size() > 1) {
      const auto settings = std::count_if(cells_.begin(), cells_.end(), [&](const ResultGroup* cell) {
        const std::vector<Average>& means = cell->ratio;
        return std::none_of(means.begin(), means.end(),
                            [&](const Average& one) { return is_ahead(model_, one.mean(), means[first].mean()); });
      });
      text += fmt::format("; in {} of {} settings no other is better", settings, cells_.size());
    }
    return text + '.';
  }

  /// Beyond chance.
  bool is_behind(std::size_t s) const { return std::abs(difference_[s].mean()) > difference_[s].half_width(); }

  /// How another strategy compares with the leader, in the same instances.
  std::string follower(std::size_t s) const {
    const Average& difference = difference_[s];
    const double points = 100 * difference.mean();
    const double half = 100 * difference.half_width();
    if (points == 0 && half == 0) return fmt::format(" {} does the same in every instance.", name(s));
    std::string text = ' ' + comes_to(s);
    if (std::isnan(half)) return text + '.';
    const double low = std::abs(points) - half;
    if (low <= 0)
      return text + fmt::format(
                        ", which cannot be told apart from that (difference {:+.2g} points, 95 % interval {:+.2g} to "
                        "{:+.2g}).",
                        points, points - half, points + half);
    const int digits = digits_for(half) + 1;
    const double unit = std::pow(10.0, digits);
    return text + fmt::format(", {:.{}f} points {} in the same instances (95 % interval {:.{}f} to {:.{}f}).",
                              std::abs(points), digits, points < 0 ? "less" : "more", std::floor(low * unit) / unit,
                              digits, std::ceil((std::abs(points) + half) * unit) / unit, digits);
  }

  /// "refined is expected to complete 99.5 % of the upper bound on the expected work of any static schedule." Ceilings
  /// are of expected work: they stand beside that, not beside mean ratios, which may be higher.
  std::string ceilings() const {
    const auto expected = [this](std::size_t s) {
      return average([s](const ResultGroup& cell) { return cell.expected[s]; });
    };
    std::size_t most = order_.front();
    for (const std::size_t s : order_)
      if (std::isnan(expected(most)) || expected(s) > expected(most)) most = s;
    if (std::isnan(expected(most))) return "";
    std::string text;
    const std::vector<Ceiling> known = ceilings_of(result_);
    for (std::size_t k = 0; k < known.size(); ++k) {
      const double ceiling = average([k](const ResultGroup& cell) { return cell.ceilings[k]; });
      if (!(ceiling > 0)) continue;
      text += text.empty() ? fmt::format(" {} is expected to complete ", result_.strategies()[most]) : " and ";
      text += fmt::format("{:.1f} % of the {}", 100 * expected(most) / ceiling, known[k].summary);
    }
    return text.empty() ? text : text + '.';
  }

  const ResultFile& result_;
  const Headline& headline_;
  std::vector<const ResultGroup*> cells_;
  const std::vector<std::size_t>& order_;  // strategies that were run, the best first
  std::ptrdiff_t baseline_;
  const Model& model_;
  Metric metric_;                            // of what is told
  std::vector<Average> means_, difference_;  // by strategy, over all configurations; differences to the best
};

}  // namespace

Metric metric_of(const ResultFile& result) {
  const Model& model = model_of(result);
  const std::string axis = metric_axis(model);
  for (const AxisColumn& column : axis_columns(result))
    if (!axis.empty() && column.axis->name == axis) return metric_of(model, column.texts);
  return metric_of(model, std::span<const std::string>{});
}

Headline::Headline(const ResultFile& result) {
  const auto [name, wanted] = model_of(result).words().headline;
  std::vector<std::size_t> codes(result.configurations());
  for (const AxisColumn& column : axis_columns(result)) {
    const auto found = std::find(column.texts.begin(), column.texts.end(), wanted);
    if (column.axis->name != name || column.texts.size() == 1 || found == column.texts.end()) continue;
    axis = name;
    value = wanted;
    code = static_cast<std::size_t>(found - column.texts.begin());
    codes = column.code;
  }
  const std::size_t strategies = result.strategies().size();
  const std::vector<MeanEstimate> means = mean_estimates(result);
  std::vector<double> sums(strategies, 0);
  bool any = false;
  for (std::size_t c = 0; c < result.configurations(); ++c) {
    if (codes[c] != code || std::isnan(means[c * strategies].mean)) continue;  // NaN: of another shard
    any = true;
    for (std::size_t s = 0; s < strategies; ++s) sums[s] += means[c * strategies + s].mean;
  }
  for (std::size_t s = 0; any && s < strategies; ++s)
    if (!std::isnan(sums[s])) ranked.push_back(s);
  const Model& model = model_of(result);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::size_t a, std::size_t b) { return is_ahead(model, sums[a], sums[b]); });
}

std::string report_words(const ResultFile& result, const Headline& headline, const std::vector<const AxisColumn*>& kept,
                         const std::vector<ResultGroup>& cells, std::ptrdiff_t baseline) {
  const auto at = std::find_if(kept.begin(), kept.end(),
                               [&](const AxisColumn* column) { return column->axis->name == headline.axis; }) -
                  kept.begin();
  if (!headline.axis.empty() && at == std::ssize(kept))
    return fmt::format("Results depend on {}; see the table.", headline.axis);
  std::vector<const ResultGroup*> told;
  for (const ResultGroup& cell : cells)
    if (headline.axis.empty() || cell.key[static_cast<std::size_t>(at)] == headline.code) told.push_back(&cell);
  return Words(result, headline, std::move(told), baseline).text();
}

}  // namespace coterie::sim
