#include "sim/exports/queue_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/exports/export_sources.hpp"
#include "sim/exports/template_text.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/input/json_text.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;

/// Rows of an age, the longest chunk that is worth beginning then, and the probability to live longer.
nlohmann::ordered_json lives_by_age(const QueueExport& queue) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (!queue.life) return rows;
  constexpr int kRows = 100;
  std::vector<double> ages = {0, queue.life->effective_horizon()};
  for (int i = 1; i < kRows; ++i) ages.push_back(queue.life->quantile(static_cast<double>(i) / kRows));
  std::erase_if(ages, [](double age) { return !std::isfinite(age); });
  std::sort(ages.begin(), ages.end());
  ages.erase(std::unique(ages.begin(), ages.end()), ages.end());
  for (const double age : ages) {
    const double most = queue.chunks ? queue.first * queue.scale * (*queue.chunks)(age) : queue.work;
    rows.push_back({twelve_digits(age * queue.scale), twelve_digits(std::min(most, queue.work)),
                    twelve_digits(queue.life->survival(age))});
  }
  return rows;
}

nlohmann::ordered_json parameters_of(const QueueExport& queue) {
  // A worker that shows no life for six beats is given up.
  const double news = std::max(queue.latency, queue.checkpoint);
  const double beat = queue.has_unit && news > 0 ? std::clamp(news / 4, 0.02, 10.0) : 10;
  return {{"unit", queue.has_unit ? nlohmann::ordered_json("s") : nlohmann::ordered_json()},
          {"workers", queue.workers},
          {"fallback", queue.fallback},
          {"work", twelve_digits(queue.work)},
          {"task", twelve_digits(queue.task)},
          {"checkpoint", twelve_digits(queue.checkpoint)},
          {"shares", queue.shares},
          {"least_chunk", twelve_digits(std::max(queue.least, 1e-7 * queue.work))},
          {"copies", queue.copies},
          {"tries", queue.tries},
          {"warning", queue.warning},
          {"beat", beat},
          {"lease", 6 * beat},
          {"by_age", lives_by_age(queue)}};
}

}  // namespace

void QueueExport::take(const heuristics::PolicyPlan& plan) {
  for (const auto& [name, value] : plan.parameters) {
    if (name == "b") first = value;
    if (name == "c") shares = value;
    if (name == "c_min") least = value * scale;
  }
  if (!plan.first_chunks.empty()) chunks = plan.first_chunks.front();
}

void require_export_folder(const std::string& folder) {
  std::error_code error;
  const fs::file_status there = fs::status(folder, error);
  if (fs::is_directory(there) ? fs::is_empty(folder, error) : there.type() == fs::file_type::not_found) return;
  throw InputError(
      fmt::format("--export {}: {}; name a new folder for the queue, or a file that ends in .csv, .json, "
                  ".sbatch, .sub or .svg for fixed lists",
                  echoed(folder), fs::is_directory(there) ? "is not empty" : "is not a folder"));
}

void export_queue(const std::string& folder, const QueueExport& queue) {
  require_export_folder(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw RuntimeError(fmt::format("{}: {}", printable(folder), error.message()));
  const std::vector<std::pair<std::string, std::string>> values = {
      {"WORKERS", counted(queue.workers, "worker")},
      {"COUNT", fmt::format("{}", queue.workers)},
      {"LAST", fmt::format("{}", queue.workers - 1)},
      {"TIME", time_limit_line(queue.limit, queue.has_unit)}};
  const auto write = [&](const char* name, const std::string& text) {
    write_text_durably(fs::path(folder) / name, text);
  };
  write("queue.json", json_text(parameters_of(queue)) + '\n');
  write("worker.py", kQueueWorker);
  write("queue.sh", filled(kQueueScript, values));
  write("queue.sbatch", filled(kQueueSbatch, values));
  write("queue.sub", filled(kQueueSubmit, values));
  for (const char* name : {"worker.py", "queue.sh"})
    fs::permissions(fs::path(folder) / name, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
}

}  // namespace coterie::sim
