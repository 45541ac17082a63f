#include "sim/engine/engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "core/cancellation.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/totals/shared_totals.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kBatchValues = 4'000'000;  // ratios held in memory at a time (32 MB)

using Clock = std::chrono::steady_clock;

/// Of all rows together, an instance.
std::size_t values_each(const MissingRows& rows, std::size_t kinds) { return rows.strategies.size() * kinds + 1; }

/// Of totals, whose memory does not grow with the instances; a power of two blocks.
constexpr std::uint64_t kMostCounted = (1 << 14) * kBlockInstances;

/// What is held of missing rows when they are computed.
std::uint64_t values_held(const Campaign& campaign, const MissingRows& rows) {
  return campaign.output == Output::kStatistics ? rows.strategies.size() * RatioHistogram::kCounts
                                                : rows.instances * values_each(rows, row_kinds(campaign));
}

/// Missing rows in pieces that fit in memory one by one, cut at ends of blocks. Each is made when it is wanted: the
/// list of those of very many instances would take seconds and gigabytes.
class Pieces {
 public:
  Pieces(const Campaign& campaign, std::span<const MissingRows> missing) : campaign_(campaign), missing_(missing) {}

  bool empty() const { return missing_.empty(); }
  MissingRows front() const {
    MissingRows piece = missing_.front();
    piece.first_instance += done_;
    piece.instances = std::min(most(), piece.instances - done_);
    return piece;
  }
  void pop() {
    done_ += most();
    if (done_ < missing_.front().instances) return;
    missing_ = missing_.subspan(1);
    done_ = 0;
  }

 private:
  std::uint64_t most() const {
    if (campaign_.output == Output::kStatistics) return kMostCounted;
    const std::uint64_t fits = kBatchValues / values_each(missing_.front(), row_kinds(campaign_));
    return std::max(kBlockInstances, fits - fits % kBlockInstances);
  }

  const Campaign& campaign_;
  std::span<const MissingRows> missing_;
  std::uint64_t done_ = 0;  // instances of the first of them
};

/// Missing rows in work.
struct Job {
  enum class Block : char { kOpen, kFinished, kHandedOver };
  explicit Job(MissingRows wanted)
      : missing(std::move(wanted)), blocks((missing.instances - 1) / kBlockInstances + 1, Block::kOpen) {}

  MissingRows missing;
  std::shared_ptr<const Trial> trial;    ///< while there are blocks to run
  std::shared_ptr<double[]> values;      ///< of the reference, then of the strategies, kind by kind
  std::vector<ResultRow> rows;           ///< of these, what is wanted
  std::unique_ptr<SharedTotals> totals;  ///< in place of values
  std::vector<Block> blocks;
  std::size_t finished = 0;     ///< of the blocks
  std::size_t handed_over = 0;  ///< of those

  std::uint64_t first_instance(std::size_t block) const { return std::min(block * kBlockInstances, missing.instances); }
};

/// The same of totals: their tree tells which blocks are in them, so that these are handed over with them and no
/// others.
void hand_over_totals(Job& job, std::vector<ResultRow>& rows) {
  RatioTotals done = job.totals->take();
  if (done.empty()) return;
  job.handed_over += done.tree().blocks();
  const std::uint64_t last = job.missing.first_instance + job.missing.instances;
  auto totals = std::make_shared<const RatioTotals>(std::move(done));
  const auto& nodes = totals->tree().nodes();
  for (auto node = nodes.begin(); node != nodes.end();) {
    const std::uint64_t begin = node->first;
    std::uint64_t end = begin;
    for (; node != nodes.end() && node->first == end; ++node) end += node->second.blocks;
    for (ResultRow row : job.rows) {
      row.span.first_instance = begin * kBlockInstances;
      row.span.instances = std::min(end * kBlockInstances, last) - row.span.first_instance;
      if (begin == nodes.begin()->first && row.span.column == kReferenceColumn) row.totals = totals;
      rows.push_back(std::move(row));
    }
  }
}

/// Hands over what is finished and was not handed over yet.
void hand_over(Job& job, std::vector<ResultRow>& rows) {
  if (job.finished == 0) return;  // it may still be prepared
  if (job.totals) return hand_over_totals(job, rows);
  if (job.finished == job.blocks.size() && job.handed_over == 0) {
    std::move(job.rows.begin(), job.rows.end(), std::back_inserter(rows));
    job.handed_over = job.finished;
  }
  for (std::size_t end = 0; job.handed_over < job.finished;) {
    const std::size_t begin = static_cast<std::size_t>(
        std::find(job.blocks.begin() + static_cast<std::ptrdiff_t>(end), job.blocks.end(), Job::Block::kFinished) -
        job.blocks.begin());
    for (end = begin; end < job.blocks.size() && job.blocks[end] == Job::Block::kFinished; ++end)
      job.blocks[end] = Job::Block::kHandedOver;
    job.handed_over += end - begin;
    const std::uint64_t first = job.first_instance(begin);
    for (const ResultRow& row : job.rows) {
      ResultRow part = row;
      part.span.first_instance += first;
      part.span.instances = job.first_instance(end) - first;
      part.first = {row.first, row.first.get() + first};
      rows.push_back(std::move(part));
    }
  }
}

/// Jobs that are in memory together; the rows of one batch are kept while the next is computed.
class Batch {
 public:
  Batch(const Campaign& campaign, const RunControl& control, Progress& progress)
      : campaign_(campaign),
        kinds_(row_kinds(campaign)),
        control_(control),
        progress_(progress),
        done_(progress.done_before()) {}

  /// Takes as many of the pieces as fit in memory.
  void take(Pieces& pieces) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Trial> last;
    const MissingRows next = pieces.front();
    if (!jobs_.empty() && jobs_.back().missing.configuration == next.configuration &&
        jobs_.back().missing.strategies == next.strategies)
      last = jobs_.back().trial;  // its rows were split: the trial continues
    jobs_.clear();
    for (std::size_t values = 0; !pieces.empty(); pieces.pop()) {
      MissingRows piece = pieces.front();
      values += values_held(campaign_, piece);
      if (values > kBatchValues && !jobs_.empty()) break;
      jobs_.emplace_back(std::move(piece));
    }
    jobs_[0].trial = std::move(last);
    first_open_ = 0;
    set_next_keep();
  }

  /// Returns false where it was stopped. What was computed is kept while the next batch is: that may mean that it is
  /// written to disk.
  bool compute() {
    const PreparedJobs jobs{jobs_.size(),
                            [this](std::size_t job) {
                              prepare(jobs_[job]);
                              return jobs_[job].blocks.size();
                            },
                            [this](std::size_t job, std::size_t block) { compute(jobs_[job], block); },
                            [this] { return !keeping_failed_ && !control_.stop(); }};
    const auto keep_last = [this] {
      keep_computed();
      return false;
    };
    bool all = false;
    try {
      all = run_jobs_beside(keep_last, jobs, thread_count(control_.threads));
    } catch (const Cancelled&) {
    }
    const std::lock_guard keeping(keep_mutex_);
    const std::lock_guard lock(mutex_);
    computed_ = take_finished();
    any_computed_ = !computed_.empty();
    return all;
  }

  /// By a thread that takes no part, while others may be at it: keeps what is finished. They get no further then.
  void keep_for_good() {
    keep_mutex_.lock();
    mutex_.lock();
    if (!keeping_failed_) {
      keep(std::exchange(computed_, {}));
      keep(take_finished());
    }
  }

  /// Of the calling thread; after the last batch, too.
  void keep_computed() {
    if (!any_computed_) return;  // and there is nothing to wait for
    const std::lock_guard lock(keep_mutex_);
    any_computed_ = false;
    keep(std::exchange(computed_, {}));
  }

 private:
  void prepare(Job& job) const {
    const MissingRows& missing = job.missing;
    std::vector<std::string> strategies;
    for (const std::size_t s : missing.strategies) strategies.push_back(campaign_.strategies[s]);
    const Configuration& configuration = campaign_.configurations[missing.configuration];
    if (!job.trial)
      job.trial = campaign_.model->prepare(
          {configuration, campaign_.seed, strategies, *campaign_.risks, campaign_.schedules.get()});
    if (campaign_.output == Output::kStatistics)
      job.totals = std::make_unique<SharedTotals>(strategies.size());
    else
      job.values = std::make_shared_for_overwrite<double[]>(values_each(missing, kinds_) * missing.instances);
    const std::size_t kept = kept_kinds(campaign_);
    const auto add_row = [&](std::size_t column, const StrategyFacts& facts, std::size_t place, std::size_t kinds) {
      job.rows.push_back({{missing.configuration, column, missing.first_instance, missing.instances, facts},
                          {job.values, job.values.get() + place * missing.instances},
                          kinds,
                          strategies.size() * missing.instances});
    };
    const std::vector<StrategyFacts> facts = job.trial->facts();
    if (missing.reference) add_row(kReferenceColumn, {}, 0, std::min<std::size_t>(1, kept));
    for (std::size_t s = 0; s < strategies.size(); ++s)
      add_row(column_of(missing.strategies[s]), facts[s], s + 1, kept);
  }

  void compute(Job& job, std::size_t block) {
    const std::uint64_t first = job.first_instance(block);
    const auto instances = static_cast<std::size_t>(job.first_instance(block + 1) - first);
    if (job.totals) {
      add_totals(job, job.missing.first_instance + first, instances);
      return finish(job, block, instances);
    }
    double* const reference = job.values.get() + first;
    Block wanted{job.missing.first_instance + first, instances, reference, reference + job.missing.instances,
                 job.missing.instances};
    for (std::size_t kind = 1; kind < kinds_; ++kind)
      wanted.measures[kind - 1] = wanted.ratio + kind * job.missing.strategies.size() * job.missing.instances;
    job.trial->run(wanted);
    finish(job, block, instances);
  }

  static void add_totals(Job& job, std::uint64_t first, std::size_t instances) {
    const std::size_t strategies = job.missing.strategies.size();
    const auto values = std::make_unique_for_overwrite<double[]>((1 + strategies) * instances);
    double* const ratios = values.get() + instances;
    job.trial->run({first, instances, values.get(), ratios, instances});
    job.totals->add(first / kBlockInstances, {values.get(), instances}, ratios, instances);
  }

  void finish(Job& job, std::size_t block, std::size_t instances) {
    std::shared_ptr<const Trial> over;  // freed when others may continue
    std::vector<ResultRow> rows;        // kept then, too, unless another thread is doing that
    std::unique_lock keeping(keep_mutex_, std::defer_lock);
    bool all = false;
    {
      const std::lock_guard lock(mutex_);
      job.blocks[block] = Job::Block::kFinished;
      all = ++job.finished == job.blocks.size();
      if (all && &job != &jobs_.back()) over.swap(job.trial);
      done_ += instances;
      progress_.update(done_);
      if (!keeping_failed_ && Clock::now() >= next_keep_ && keeping.try_lock()) rows = take_finished();
    }
    if (all && job.totals) job.totals->settle();
    keep(std::move(rows));
  }

  std::vector<ResultRow> take_finished() {
    std::vector<ResultRow> rows;
    for (std::size_t job = first_open_; job < jobs_.size(); ++job) {
      hand_over(jobs_[job], rows);
      if (job == first_open_ && jobs_[job].handed_over == jobs_[job].blocks.size()) ++first_open_;
    }
    set_next_keep();
    return rows;
  }

  /// By the thread that has `keep_mutex_`.
  void keep(std::vector<ResultRow> rows) {
    if (rows.empty()) return;
    const CancellationScope whole(nullptr);  // files are written completely
    try {
      control_.keep(std::move(rows));
    } catch (...) {
      keeping_failed_ = true;
      throw;
    }
  }

  void set_next_keep() {
    next_keep_ = Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(control_.keep_seconds));
  }

  const Campaign& campaign_;
  std::size_t kinds_;  // of values, in the rows of strategies
  const RunControl& control_;
  Progress& progress_;
  std::vector<Job> jobs_;
  std::vector<ResultRow> computed_;  ///< by the batch before, to be kept; of the thread that has `keep_mutex_`
  std::atomic<bool> any_computed_ = false;
  std::atomic<bool> keeping_failed_ = false;
  std::mutex keep_mutex_;  // while rows are kept
  std::mutex mutex_;       // of what follows and of what jobs have finished, while blocks are computed
  std::uint64_t done_;
  std::size_t first_open_ = 0;  ///< job that is not handed over as a whole
  Clock::time_point next_keep_;
};

}  // namespace

bool compute_rows(const Campaign& campaign, const std::vector<MissingRows>& missing, const RunControl& control,
                  Progress& progress) {
  Pieces pieces(campaign, missing);
  Batch batch(campaign, control, progress);
  std::optional<LastResort> last_resort;
  if (control.give_up)
    last_resort.emplace(*control.rule, [&] {
      control.give_up([&] {
        batch.keep_for_good();
        progress.finish();
      });
    });
  bool finished = true;
  while (!pieces.empty() && finished) {
    batch.take(pieces);
    finished = batch.compute() && (pieces.empty() || !control.stop());
  }
  batch.keep_computed();
  progress.finish();
  return finished;
}

}  // namespace coterie::sim
