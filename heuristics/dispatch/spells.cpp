#include "heuristics/dispatch/spells.hpp"

#include <algorithm>

#include "core/ties.hpp"

namespace coterie::heuristics {

void Spells::clear() {
  spells_.clear();
  first_.assign(1, 0);
}

void Spells::add(const Spell& spell) {
  if (spell.end > spell.begin) spells_.push_back(spell);
}

bool Spells::any_returns() const {
  return std::any_of(spells_.begin(), spells_.end(), [](const Spell& spell) { return spell.begin > 0; });
}

double Spells::last_end() const {
  double last = 0;
  for (const Spell& spell : spells_) last = std::max(last, spell.end);
  return last;
}

double Spells::useful(double startup_cost) const {
  double sum = 0;
  for (const Spell& spell : spells_) sum += std::max(0.0, spell.end - spell.begin - startup_cost);
  return sum;
}

void Spells::forgive_ties(bool first) {
  for (std::size_t w = 0; w < workers(); ++w)
    for (std::size_t i = first_[w]; i < first_[w + 1]; ++i)
      if (first || i > first_[w]) spells_[i].end = just_after(spells_[i].end);
}

}  // namespace coterie::heuristics
