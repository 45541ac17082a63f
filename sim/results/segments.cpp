#include "sim/results/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "sim/engine/parallel.hpp"
#include "sim/results/assembly.hpp"
#include "sim/results/totals_tables.hpp"

namespace coterie::sim {
namespace {

using Positions = std::vector<std::pair<std::size_t, std::size_t>>;  // of configurations: in the campaign, in the file

void add_tables(TotalsSlice& slice, const Hdf5File& file, const std::string& path, const Positions& positions) {
  const auto wanted = [&](const auto& position) { return slice.has(position.first); };
  if (std::none_of(positions.begin(), positions.end(), wanted)) return;
  const TotalsTables tables(file, path);
  for (const auto& position : positions)
    if (wanted(position)) slice.add(position.first, tables.of(position.second), path);
}

/// `read` of a part; where it is damaged, with what helps. It is not kept open: there may be thousands of parts.
template <typename Read>
auto from_part(const std::string& path, Hdf5File::Mode mode, const Read& read) {
  try {
    return read(Hdf5File(path, mode));
  } catch (const SystemFailure&) {  // it may well be intact
    throw;
  } catch (const RuntimeError& error) {
    throw RuntimeError(fmt::format("{}; delete this file, and its rows are computed again", error.what()));
  }
}

class PartRows final : public RowSource {
 public:
  using PlacesOf = std::function<const Places&(const std::string& provenance)>;

  PartRows(const std::string& path, Hdf5File::Mode mode, std::size_t kinds, const PlacesOf& places_of)
      : path_(path), kinds_(kinds) {
    from_part(path, mode, [&](const Hdf5File& file) { read_spans(file, places_of); });
  }

  const std::vector<RowSpan>& spans() const override { return spans_; }

  void fill(ResultSlice& slice) const override {
    const auto [first, last] = positions_in(slice, spans_);
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = 0;
    for (std::size_t i = first; i < last; ++i) {
      const RowSpan& span = spans_[i];
      if (span.first_instance >= slice.first_instance + slice.instances ||
          span.first_instance + span.instances <= slice.first_instance)
        continue;
      begin = std::min(begin, offsets_[i]);
      end = std::max(end, offsets_[i] + kinds_of(span) * span.instances);
    }
    if (begin >= end) return;
    // Rows are written in the order of the campaign, so what a slice needs lies close together.
    const std::vector<double> values = from_part(path_, Hdf5File::Mode::kReadAgain, [&](const Hdf5File& file) {
      return file.read_doubles("value", {begin}, {end - begin});
    });
    for (std::size_t i = first; i < last; ++i) {
      const std::uint64_t instances = spans_[i].instances;
      const std::size_t kinds = kinds_of(spans_[i]);
      if (offsets_[i] < begin || offsets_[i] + kinds * instances > end) continue;
      for (std::size_t kind = 0; kind < kinds; ++kind)
        copy_into(slice, spans_[i], std::span(values).subspan(offsets_[i] - begin + kind * instances, instances), kind);
    }
  }

  void add_to(TotalsSlice& slice) const override {
    const auto wanted = [&](const auto& position) { return slice.has(position.first); };
    if (std::none_of(positions_.begin(), positions_.end(), wanted)) return;
    from_part(path_, Hdf5File::Mode::kReadAgain,
              [&](const Hdf5File& file) { add_tables(slice, file, path_, positions_); });
  }

 private:
  void read_spans(const Hdf5File& file, const PlacesOf& places_of) {
    const auto damaged = [&](const std::string& what) {
      return RuntimeError(fmt::format("{}: is damaged: {}", path_, what));
    };
    if (!file.has_attribute("filetype") || file.text_attribute("filetype") != kPartType)
      throw RuntimeError(path_ + ": is not a part of a result");
    if (!file.sealed()) throw damaged("it has no checksums at its end: it was cut off");
    const Places& places = places_of(file.text_attribute("provenance"));
    const std::vector<double> lines = file.read_doubles("row");
    std::vector<std::pair<RowSpan, std::uint64_t>> rows;
    std::uint64_t offset = 0;
    double last = -1;  // configuration
    for (std::size_t i = 0; i < lines.size(); i += kPartColumns) {
      const double* line = lines.data() + i;
      if (!(line[0] >= last && line[0] < static_cast<double>(places.configurations.size()) && line[1] >= 0 &&
            line[1] < static_cast<double>(places.columns.size()) && line[2] >= 0 && line[3] >= 1))
        throw damaged(fmt::format("its row {} is out of bounds", i / kPartColumns));
      const auto configuration = places.configurations[static_cast<std::size_t>(line[0])];
      const auto column = places.columns[static_cast<std::size_t>(line[1])];
      if (!configuration || !column) throw damaged("its campaign has other configurations or strategies");
      if (line[0] != last) positions_.emplace_back(*configuration, positions_.size());
      last = line[0];
      const RowSpan span{*configuration,
                         *column,
                         static_cast<std::uint64_t>(line[2]),
                         static_cast<std::uint64_t>(line[3]),
                         {line[4], line[5], line[6]}};
      rows.emplace_back(span, offset);
      offset += kinds_of(span) * span.instances;
    }
    if (kinds_ == 0 && !TotalsTables::are_in(file)) throw damaged("it has no statistics");
    if (kinds_ > 0 && file.shape("value") != std::vector<hsize_t>{offset})
      throw damaged("it does not have as many values as its rows say");
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [span, begin] : rows) {
      spans_.push_back(span);
      offsets_.push_back(begin);
    }
  }

  std::size_t kinds_of(const RowSpan& span) const {
    return span.column == kReferenceColumn ? std::min<std::size_t>(1, kinds_) : kinds_;
  }

  std::string path_;
  std::size_t kinds_;  ///< of values that strategies have; 0 where statistics are kept
  std::vector<RowSpan> spans_;
  std::vector<std::uint64_t> offsets_;  ///< where the values of each span begin in `value`
  Positions positions_;
};

/// All rows of a result, or those of its shard.
class FileRows final : public RowSource {
 public:
  FileRows(ResultFile file, Campaign stored, const Places& places)
      : file_(std::move(file)), stored_(std::move(stored)), shard_(file_.provenance().shard), columns_(places.columns) {
    const std::string& path = file_.path();
    const std::vector<std::string> identities = file_.file().read_texts("identity");
    const std::size_t strategies = stored_.strategies.size();
    if (stored_.precision) done_ = file_.instances_done();
    const std::vector<double> chunks = file_.file().read_doubles("chunks");
    const std::vector<double> sizes = file_.file().read_doubles("chunk_size");
    const std::vector<double> expected = file_.file().read_doubles("expected_work");
    for (std::size_t i = 0; i < identities.size(); ++i) {
      if (identities[i] != fmt::format("{:016x}", stored_.configurations[i].identity))
        throw RuntimeError(
            fmt::format("{}: the identity of configuration {} differs from what its campaign gives now: "
                        "an input file changed",
                        path, i));
      const InstanceRange share = share_of(i);
      const auto position = places.configurations[i];
      if (!position || share.first == share.last) continue;
      positions_.emplace_back(*position, i);
      spans_.push_back({*position, kReferenceColumn, share.first, share.last - share.first, {}});
      for (std::size_t s = 0; s < strategies; ++s)
        if (const auto column = columns_[column_of(s)])
          spans_.push_back({*position,
                            *column,
                            share.first,
                            share.last - share.first,
                            {chunks[i * strategies + s], sizes[i * strategies + s], expected[i * strategies + s]}});
    }
    std::sort(spans_.begin(), spans_.end());
    std::sort(positions_.begin(), positions_.end());
  }

  const std::vector<RowSpan>& spans() const override { return spans_; }

  void fill(ResultSlice& slice) const override {
    const std::uint64_t last_instance =
        std::min<std::uint64_t>(slice.first_instance + slice.instances, file_.instances());
    if (slice.first_instance >= last_instance) return;
    const std::uint64_t count = last_instance - slice.first_instance;
    const std::size_t strategies = stored_.strategies.size();
    auto at =
        std::lower_bound(positions_.begin(), positions_.end(), std::pair(slice.first_configuration, std::size_t{0}));
    const auto in_slice = [&](const auto& position) {
      return position->first < slice.first_configuration + slice.configurations;
    };
    while (at != positions_.end() && in_slice(at)) {
      // Configurations that follow one another in the file are read together: a chunk holds several.
      const auto first = at;
      while (at != positions_.end() && in_slice(at) &&
             at->second - first->second == static_cast<std::size_t>(at - first))
        ++at;
      const auto run = static_cast<std::size_t>(at - first);
      const auto put = [&](std::size_t i, std::size_t column, std::size_t kind, const std::vector<double>& values,
                           std::size_t row) {
        const auto [position, stored] = first[static_cast<std::ptrdiff_t>(i)];
        const InstanceRange share = share_of(stored);
        const std::uint64_t from = std::max(share.first, slice.first_instance);
        const std::uint64_t to = std::min(share.last, last_instance);
        if (from < to && columns_[column])
          copy_into(slice, {position, *columns_[column], from, to - from, {}},
                    std::span(values).subspan(row * count + (from - slice.first_instance), to - from), kind);
      };
      for (std::size_t kind = 0; kind < row_kinds(stored_); ++kind) {
        if ((slice.*kRowKinds[kind].values).empty()) continue;  // the slice does not hold it
        const std::vector<double> values = file_.file().read_doubles(
            kRowKinds[kind].name, {first->second, 0, slice.first_instance}, {run, strategies, count});
        for (std::size_t row = 0; row < run * strategies; ++row)
          put(row / strategies, column_of(row % strategies), kind, values, row);
      }
      const std::vector<double> reference =
          file_.file().read_doubles("reference", {first->second, slice.first_instance}, {run, count});
      for (std::size_t i = 0; i < run; ++i) put(i, kReferenceColumn, 0, reference, i);
    }
  }

  void add_to(TotalsSlice& slice) const override {
    if (file_.statistics()) add_tables(slice, file_.file(), file_.path(), positions_);
  }

 private:
  InstanceRange share_of(std::size_t stored) const {
    return stored_.precision ? InstanceRange{0, done_[stored]} : shard_.share(stored_, stored);
  }

  ResultFile file_;
  Campaign stored_;
  Shard shard_;
  std::vector<std::optional<std::size_t>> columns_;
  std::vector<std::uint64_t> done_;  ///< by configuration; of a campaign with `precision`
  std::vector<RowSpan> spans_;
  Positions positions_;  ///< ascending
};

}  // namespace

Segments::Segments(const Campaign& campaign, const Shard& shard) : campaign_(campaign), shard_(shard) {
  places_.emplace(Provenance::of(campaign, shard).text(), places_of(campaign));
  if (campaign.precision) search_.emplace(campaign, shard);
}

Places Segments::places_of(const Campaign& stored) const {
  std::unordered_map<std::string, std::size_t> configurations;
  for (std::size_t i = 0; i < campaign_.configurations.size(); ++i) configurations[campaign_.configurations[i].key] = i;
  Places places{{}, {kReferenceColumn}};
  for (const Configuration& configuration : stored.configurations) {
    const auto found = configurations.find(configuration.key);
    places.configurations.push_back(found == configurations.end() ? std::nullopt : std::optional(found->second));
  }
  for (const std::string& name : stored.strategies) {
    const auto found = std::find(campaign_.strategies.begin(), campaign_.strategies.end(), name);
    const auto place = static_cast<std::size_t>(found - campaign_.strategies.begin());
    places.columns.push_back(found == campaign_.strategies.end() ? std::nullopt : std::optional(column_of(place)));
  }
  return places;
}

const Places& Segments::places_of(const std::string& provenance, const std::string& path) {
  const auto known = places_.find(provenance);
  if (known != places_.end()) return known->second;
  const Provenance stored = Provenance::from_json(nlohmann::ordered_json::parse(provenance));
  const std::vector<std::string> reasons = differences(stored, campaign_, shard_);
  if (!reasons.empty())
    throw InputError(path + ": belongs to another campaign or program:" + as_list(reasons) +
                     "\nmove this file away, and its rows are computed again");
  const Campaign then = stored.located(campaign_.path).parse(*campaign_.catalogue);
  return places_.emplace(provenance, places_of(then)).first->second;
}

void Segments::add(ResultFile result) {
  Campaign stored = result.campaign(campaign_.path);
  const Places places = places_of(stored);
  owned_.push_back(std::make_unique<FileRows>(std::move(result), std::move(stored), places));
  list_.push_back(owned_.back().get());
}

void Segments::add_parts(const PartFolder& folder, Hdf5File::Mode mode) {
  for (const std::string& path : folder.parts()) {
    if (!parts_.insert(path).second) continue;
    owned_.push_back(std::make_unique<PartRows>(
        path, mode, kept_kinds(campaign_),
        [&](const std::string& provenance) -> const Places& { return places_of(provenance, path); }));
    list_.push_back(owned_.back().get());
  }
}

std::vector<MissingRows> Segments::missing() {
  return search_ ? search_->missing(list_) : missing_rows(campaign_, shard_, list_);
}

std::uint64_t Segments::wanted() const {
  if (search_) return search_->wanted();
  const std::vector<std::uint64_t> done = extent().done;
  return std::accumulate(done.begin(), done.end(), std::uint64_t{0});
}

ResultExtent Segments::extent() const { return search_ ? search_->extent() : ResultExtent::fixed(campaign_, shard_); }

void Segments::assemble(const std::string& path, const RunNote& note, int threads) const {
  const ResultExtent whole = extent();
  const auto open = [&] { return std::make_unique<ResultStore>(path, campaign_, shard_, whole, note); };
  sim::assemble(campaign_, whole, list_, open, thread_count(threads));
}

bool is_finished(const std::string& path, const std::optional<PartManifest>& parts) {
  if (!std::filesystem::exists(path)) return false;
  if (!parts) return true;
  try {
    Provenance made = ResultFile(path).provenance();
    made.campaign_path = parts->provenance.campaign_path;  // the folder may have moved in between
    return made.text() == parts->provenance.text();
  } catch (const RuntimeError&) {  // what stands there will be replaced
    return false;
  }
}

}  // namespace coterie::sim
