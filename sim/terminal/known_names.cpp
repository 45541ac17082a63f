#include "sim/terminal/known_names.hpp"

#include <algorithm>

#include "core/table.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "traces/readers/formats.hpp"

namespace coterie::sim {
namespace {

template <class Rows>
void add(std::vector<std::string>& names, const Rows& rows) {
  for (std::string& name : names_in(rows))
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

}  // namespace

std::vector<std::string> axis_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const Model* model : catalogue.models()) add(names, model->axes());
  return names;
}

std::vector<std::string> strategy_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const Model* model : catalogue.models()) add(names, model->strategies());
  return names;
}

std::vector<std::string> worksharing_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  add(names, catalogue.strategies());
  add(names, file_strategies());
  return names;
}

std::vector<std::string> risk_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  add(names, catalogue.risks());
  add(names, composite_risks());
  return names;
}

std::vector<std::string> format_names() { return names_in(traces::trace_formats()); }

}  // namespace coterie::sim
