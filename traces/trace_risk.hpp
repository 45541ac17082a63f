#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "core/risk.hpp"
#include "traces/change.hpp"
#include "traces/durations.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// A risk made from a trace, with what summaries say about it.
struct TraceRisk {
  /// Of a worker about which nothing else is known; if workers have ages of their own (below), the risk that plans are
  /// made for.
  RiskPtr risk;
  std::vector<RiskPtr> of_ages;  ///< age=each(...): one per age, in the order written; otherwise empty
  bool is_new = true;            ///< age=0
  RiskPtr fresh;                 ///< age=drawn: of a new worker; `risk` is the law of both ages and remaining lives
  std::string canonical;         ///< the expression with all arguments, with checksums in place of file names
  std::string path;              ///< the trace that was read
  std::vector<std::pair<std::string, std::string>>
      checksums;              ///< all files read, by the name written, and their CRC-64/XZ
  std::size_t n = 0;          ///< spells
  double censored_share = 0;  ///< share of spells that no interruption ended
  double scale = 1;           ///< seconds of the trace that became one unit of time
  double within_horizon = 1;  ///< probability of any interruption; below 1 if Kaplan-Meier's tail is left open
  double last_seen = 0;       ///< the longest spell, in units of time
  /// The same with tail=gone, if the tail is open and tail= was not given; otherwise null.
  std::shared_ptr<const TraceRisk> if_gone;
  std::shared_ptr<const Durations> durations;    ///< in seconds
  std::map<std::string, std::int64_t> warnings;  ///< of the reader
  UnitSource unit = UnitSource::kAssumed;        ///< of the times in the file
  Change change;                                 ///< between the recording's halves

  std::string text_before_age, text_after_age;  ///< the expression around the value of age

  /// age=drawn: the risk of a worker whose age is the `u`-quantile of the stationary law, u in (0, 1).
  RiskPtr drawn(double u) const;
};

/// The risk of
///   trace(file=PATH, format=NAME, estimator=kaplan-meier|naive, tail=immortal|gone, sampling=pooled|per-host,
///         age=LENGTH|stationary|drawn|each(LENGTH, ...), normalise=longest|none|horizon(LENGTH)|quantile(Q),
///         and the options of the format)
/// Lengths without a unit are seconds. Only file is required. naive is the paper's Pr_trace(t) = share of the spells
/// shorter than t [worksharing-2013, Section 7.2.1]; tail says what happens after the last interruption seen
/// (OpenTail); per-host draws a host first, then one of its spells. age conditions on having worked that long;
/// stationary: on an age drawn from the stationary law anew in each instance; drawn: each worker has one age of that
/// law, the same in all instances; each: the workers have these ages in turn. A relative path starts from `directory`.
/// Throws InputError if the expression or the file's content is wrong, RuntimeError if the file cannot be read.
TraceRisk risk_from_trace(const Expression& expression, const std::string& directory);

/// The arguments of trace(...), as `coterie list risks` prints them.
const std::vector<Parameter>& trace_parameters();

/// A value as it is written in an expression: in quotes if it has blanks or separators.
std::string quoted_if_needed(const std::string& text);

/// A path named in a campaign; a relative one starts from `directory`, "$COTERIE_TRACES/..." from the folder that this
/// environment variable names. Throws InputError at `place` if it is not set.
std::string resolved(const std::string& file, const std::string& directory, const Place& place = {});

/// CRC-64/XZ of a file as 16 hexadecimal digits (what `xz --check=crc64` stores). Throws RuntimeError.
std::string file_checksum(const std::string& path);

}  // namespace coterie::traces
