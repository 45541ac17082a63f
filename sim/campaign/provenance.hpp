#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/shard.hpp"

namespace coterie::sim {

/// Where results come from: everything that determines them, and the program that made them.
struct Provenance {
  std::string campaign;  ///< the TOML text
  std::string campaign_path;
  std::vector<std::string> settings;  ///< of --set
  std::uint64_t seed = 0;
  std::uint64_t instances = 0;
  std::optional<double> precision;           ///< then `instances` is the cap
  std::string resolved;                      ///< Campaign::resolved(), dumped
  std::vector<std::string> trace_checksums;  ///< "CHECKSUM  FILE", of traces and schedules
  Shard shard;
  std::string coterie_version, git_revision, compiler, flags, libraries;

  /// Calls `visit` with the name and the value of each text and list of texts.
  template <class Made, class Visit>
  static void for_each_text(Made& made, const Visit& visit) {
    visit("campaign", made.campaign);
    visit("campaign_path", made.campaign_path);
    visit("settings", made.settings);
    visit("resolved", made.resolved);
    visit("trace_checksums", made.trace_checksums);
    visit("coterie_version", made.coterie_version);
    visit("git_revision", made.git_revision);
    visit("compiler", made.compiler);
    visit("flags", made.flags);
    visit("libraries", made.libraries);
  }
  /// Of results that this program would make now.
  static Provenance of(const Campaign& campaign, const Shard& shard);
  nlohmann::ordered_json json() const;
  std::string text() const;  ///< json() in one line; bytes that are no UTF-8, as a path may have, replaced
  /// Throws nlohmann's exceptions for other JSON.
  static Provenance from_json(const nlohmann::ordered_json& json);
  /// `resolved` again, with a title, strategies and the number of configurations. Throws RuntimeError, naming the file
  /// it comes from, if it is damaged.
  nlohmann::ordered_json resolved_json(const std::string& file) const;
  /// The same; but where not all of its traces and schedules are there any more, its campaign moved to the folder of
  /// `file`, or the nearest above, that has them all: folders may have moved, or be those of another machine.
  Provenance located(const std::string& file) const;
  /// The campaign again, its names looked up in the catalogue.
  Campaign parse(const Catalogue& catalogue) const;
  /// The files of traces and schedules, as the campaign finds them.
  std::vector<std::string> trace_paths() const;
  /// Throws RuntimeError, naming `result` and the files, if any of those files has changed or cannot be opened.
  void require_traces(const std::string& result) const;
};

/// Why results made under `stored` cannot be used for `campaign`, one line per reason; empty if they can: there may be
/// more instances, strategies and configurations than before, never fewer, and everything else that determines a ratio
/// must be the same. A shard's campaign must be exactly the same.
std::vector<std::string> differences(const Provenance& stored, const Campaign& campaign, const Shard& shard);

/// The lines of `differences` as the end of a message.
std::string as_list(const std::vector<std::string>& lines);

}  // namespace coterie::sim
