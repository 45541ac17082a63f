#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/input/risks.hpp"
#include "sim/model_interface/configuration.hpp"
#include "sim/plan_verb/plan_question.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// --availability and --horizon of `coterie plan`: whether machines come back, written as in a campaign.
class PlanAvailability {
 public:
  /// `library` holds the risk of the machines, whose text is `risk`. `unit`: the question's unit of time in units of
  /// that risk; `seconds`: the risk's unit in seconds, where that is known. Throws InputError.
  PlanAvailability(const Options& options, const Scale& scale, std::shared_ptr<RiskLibrary> library,
                   const std::string& risk, double unit, std::optional<double> seconds, std::size_t workers);

  bool comes_back() const { return comes_back_; }
  /// In the question's unit of time; infinite for machines that do not come back.
  double horizon() const;
  /// Adds the availability to the question about listening.
  void ask(ListeningQuestion& question) const;
  /// Adds what is said about it to the view.
  void tell(const Options& options, PlanView& view) const;

 private:
  std::shared_ptr<RiskLibrary> library_;
  Configuration configuration_;
  double unit_;
  std::optional<double> horizon_;  ///< as asked, in the unit of the plan
  bool comes_back_ = false;
};

}  // namespace coterie::sim
