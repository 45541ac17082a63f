#include "sim/planning/plan_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"

namespace coterie::sim {
namespace {

PlanQuestion asked() {
  PlanQuestion question;
  question.workers = 4;
  question.startup_cost = 0.01;
  question.lives.planned = make_parametric_risk(Expression::parse("exponential(rate=1)"));
  question.lives.risks = {question.lives.planned};
  question.instances = 200;
  return question;
}

/// Some of the machines stay for ever, or leave at a quarter of the work.
PlanQuestion open_question() {
  PlanQuestion question = asked();
  const std::vector<double> seen = {0.1, 0.2}, all = {0.1, 0.2, 0.25};
  const RiskPtr stay = std::make_shared<EmpiricalRisk>(StepLaw{seen, std::vector{0.25, 0.25}}, "half stay");
  const RiskPtr gone = std::make_shared<EmpiricalRisk>(StepLaw{all, std::vector{0.25, 0.25, 0.5}}, "half leave");
  question.lives = {stay, {stay}};
  question.if_gone = Lives{gone, {gone}};
  return question;
}

PlanView view_of(const PlanQuestion& question) {
  PlanView view;
  view.has_unit = false;
  view.answer = answer(question);
  return view;
}

/// With spaces in place of line ends.
std::string said(const PlanView& view) {
  std::string text = plan_text(view);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void expect_said(const PlanView& view, const std::string& words) {
  const std::string text = said(view);
  EXPECT_NE(text.find(words), text.npos) << words << "\n" << text;
}

TEST(PlanView, AtLeastIsRoundedDown) {
  PlanView view = view_of(open_question());
  for (const auto& [assured, shown] : {std::pair{0.99975, "99.9"}, {0.98765, "98.7"}, {1.0, "100"}, {0.0567, "5.6"}}) {
    view.answer.options[view.answer.chosen].assured = assured;
    expect_said(view, std::string("at least ") + shown + " % of what the best plan");
  }
}

TEST(PlanView, ADeadlineThatDecidesMeansTheWorseCase) {
  for (const bool open : {false, true}) {
    PlanView view = view_of(open ? open_question() : asked());
    view.answer.chosen_by = ChosenBy::kDeadline;
    view.listening_question.deadline = 2;
    expect_said(view,
                "in more of the runs than " + view.answer.choice().strategy + (open ? ", in the worse case." : "."));
  }
}

// The best list of one machine leaves out 3 %, though lambda and the end of all lives would allow more.
TEST(PlanView, WhatIsNotWorthItsRiskIsLeftOut) {
  for (const double lambda : {0.9, 1.0}) {
    PlanQuestion question = asked();
    question.workers = 1;
    question.startup_cost = 0.01 / 0.89;
    question.lambda = lambda;
    question.lives.planned = make_linear_risk(0.89);
    question.lives.risks = {question.lives.planned};
    question.strategy = "single-optimal";
    const std::string text = said(view_of(question));
    EXPECT_NE(text.find("of the work is left out: with it, less would be expected."), text.npos) << text;
  }
}

TEST(PlanView, ListsOfOtherLengthsEndAtOtherTimes) {
  PlanQuestion question = asked();
  question.workers = 2;
  question.startup_cost = 0.02;
  question.lives.planned = make_linear_risk(0.5);
  question.lives.risks = {question.lives.planned};
  question.strategy = "no-replication";
  question.granularity = {heuristics::Granularity::Kind::kPerUnit, 5};
  expect_said(view_of(question), "A machine that stays finishes its list after 0.44 to 0.66.");
}

TEST(PlanView, WhatIsOnlyVeryImprobableIsNotImpossible) {
  PlanQuestion question = asked();
  question.workers = 1;
  question.startup_cost = 40;
  expect_said(view_of(question), "first chunk of its list and its checkpoint with a probability above 1e-15");
}

TEST(PlanView, AFileLeavesOutWhatIsInNoneOfItsLists) {
  PlanView view = view_of(asked());
  PlanOption& choice = view.answer.options[view.answer.chosen];
  TaskLists lists;
  for (std::size_t w = 0; w < view.answer.question.workers; ++w) {
    lists.add({0, 1});
    lists.close(std::vector{0.51});
  }
  choice.plan.schedule = std::make_shared<const Schedule>(std::vector{0.0, 0.5, 1.0}, std::move(lists));
  choice.plan.coteries.clear();
  expect_said(view, "50 % of the work is left out: with it, less would be expected.");
  view.answer.problem.risk = make_linear_risk(4);  // 0.25 each, less the checkpoint
  expect_said(view, "50 % of the work is left out: it is more than the machines can take.");
  choice.strategy = "file(path=half.csv)";
  expect_said(view, "50 % of the work is in no list of the file.");
}

/// A plan and two ways to listen that do hardly more.
ListeningAnswer hardly_more() {
  ListeningAnswer heard;
  for (const char* name : {"best", "help", "central"}) {
    ListeningOption option{name, heard.options.size() > 0, 0.9995, 0.6};
    option.done.half = 1;
    option.machine_time = 2;
    heard.options.push_back(option);
  }
  return heard;
}

TEST(PlanView, SaysWhatListeningGainsOverAPlanThatIsNeverDone) {
  PlanView view = view_of(asked());
  view.listening = hardly_more();
  view.listening->options[0].completion = 0;
  view.listening->options[0].done = {};
  view.listening->options[1].completed = 1;
  expect_said(view,
              "No strategy that listens does over 0.1 % more work, but help is done in half of the runs by 1, while "
              "best never is, using 2 of machine time instead of 2.");
}

TEST(PlanView, SaysWhetherListeningHasAllDoneMoreOften) {
  PlanView view = view_of(asked());
  view.listening = hardly_more();
  expect_said(view, "Listening hardly gains anything here: no strategy that listens does over 0.1 % more work.");
  view.listening->options[1].completion = 0.605;  // 5 of 1000 runs: perhaps by chance
  expect_said(view, "Listening hardly gains anything here");
  view.listening->options[1].completion = 1;
  expect_said(view, "but help has all work done in 100 % of the runs instead of 60.0 %, using");
}

TEST(PlanView, OverATenthOfAPerCentIsAGainThoughACheaperWayGainsLess) {
  PlanView view = view_of(asked());
  view.listening = hardly_more();
  view.listening->options[0].completed = 0.9;
  view.listening->options[1].completed = 0.9008;
  view.listening->options[1].machine_time = 1;
  view.listening->options[2].completed = 0.9017;
  expect_said(view, "Listening pays off: central does 90.2 % of the work instead of 90.0 %");
}

TEST(PlanView, TellsOfASureGainThoughAnotherSeemsGreater) {
  PlanView view = view_of(asked());
  view.listening = hardly_more();
  view.listening->options[0].completed = 0.9;
  view.listening->options[1].completed = 0.905;
  view.listening->options[1].gain_error = 0.001;
  view.listening->options[2].completed = 0.91;
  view.listening->options[2].gain_error = 0.01;
  expect_said(view, "Listening pays off: help does 90.5 % of the work instead of 90.0 %");
  view.listening->options[1].gain_error = 0.01;
  expect_said(view, "no strategy that listens surely does over 0.1 % more work");
}

TEST(PlanView, GivesAnIntervalOnlyOfEnoughResamplesAndInterruptions) {
  PlanView view = view_of(asked());
  Confidence& sure = view.confidence.emplace();
  sure.resamples = 40;
  sure.interruptions = 6;
  sure.low = 0.2;
  sure.high = 0.4;
  sure.least = 0.1;
  sure.greatest = 0.5;
  sure.without_answer = 2;
  expect_said(view,
              "(40 resamples of the trace), the expected work of this plan would be 0.2 to 0.4 in 95 % of the cases.");
  expect_said(view, "2 more resamples do not say how long such machines stay.");
  sure.interruptions = 5;
  expect_said(
      view, "The trace has only 5 interruptions of such machines, too few to say; 40 resamples of it give 0.1 to 0.5.");
  sure.interruptions = 6;
  sure.resamples = 39;
  expect_said(view, "How sure is that? 39 resamples of the trace give 0.1 to 0.5, too few to say.");
}

TEST(PlanView, TellsTheRangeOfFewRuns) {
  PlanQuestion question = asked();
  question.instances = 99;
  expect_said(view_of(question), "Of 99 simulated runs, each got");
  question.instances = 100;
  expect_said(view_of(question), "Of 100 simulated runs, the middle 90 % got");
}

}  // namespace
}  // namespace coterie::sim
