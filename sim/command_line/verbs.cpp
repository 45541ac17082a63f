#include "sim/command_line/verbs.hpp"

#include "sim/plan_verb/plan.hpp"

namespace coterie::sim {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      {"plan", "what to do with machines that may be taken away, and what to expect", plan_verb},
      {"backtest", "whether plans from the first part of a recording held in what followed", backtest_verb},
      {"run", "runs a campaign and writes a result file", run_verb},
      {"validate", "checks a campaign; prints the resolved grid, its size and how long it will take", validate_verb},
      {"merge", "joins the result files of all shards into one", merge_verb},
      {"status", "how much of a result is done; exit code 0: complete, 3: incomplete", status_verb},
      {"show", "summarises a result file: mean ratios by strategy and axis", show_verb},
      {"diff", "how the campaigns, programs and mean ratios of two results differ", diff_verb},
      {"report", "writes a result as one HTML page: tables, curves, risks, schedules, provenance", report_verb},
      {"replay", "runs one instance of a result again, alone", replay_verb},
      {"schedule", "builds one schedule and shows it", schedule_verb},
      {"charts", "group charts of one coterie: how good they are, and Table 4 of worksharing-2013", charts_verb},
      {"solve", "solves one explicit platform: optimal shares, order, expected work, throughput or finish time",
       solve_verb},
      {"list", "lists models, strategies, risks, backgrounds, formats: names, parameters, sources", list_verb},
      {"trace", "availability traces: info, convert, fit, plot", trace_verb},
      {"manual", "prints manual pages of the program and its verbs, for man", manual_verb},
      {"completion", "prints a script that completes verbs, options and names in the shell", completion_verb},
      {"help", "shows how a verb is used, or lists all verbs", help_verb},
  };
  return table;
}

}  // namespace coterie::sim
