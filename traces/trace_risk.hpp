#pragma once

#include <cstddef>
#include <string>

#include "core/expression.hpp"
#include "core/risk.hpp"

namespace coterie::traces {

/// A risk that comes from a trace, and what a summary says of it.
struct TraceRisk {
  RiskPtr risk;
  std::string path;           ///< the file that was read
  std::string checksum;       ///< CRC-64/XZ of its bytes, 16 hexadecimal digits
  std::size_t n = 0;          ///< spells
  double censored_share = 0;  ///< of them, those that no interruption ended
  double scale = 1;           ///< seconds of the trace that became one unit of time
  double within_horizon = 1;  ///< probability of interruption at all; below 1 where Kaplan-Meier leaves mass
};

/// The risk of
///   trace(file=PATH, format=NAME, estimator=naive|kaplan-meier, sampling=pooled|per-host, age=SECONDS|stationary,
///         normalise=longest|none|horizon(SECONDS)|quantile(Q), and the options of the format)
/// Only file is needed. naive is the paper's Pr_trace(t) = share of the spells shorter than t [worksharing-2013,
/// Section 7.2.1]; per-host draws a host first, then one of its spells; age
/// conditions on having worked that long, or on an age drawn from the stationary law. A relative path starts from
/// `directory`. Throws InputError for the expression or the file's content, RuntimeError where the file cannot be read.
TraceRisk risk_from_trace(const Expression& expression, const std::string& directory);

/// CRC-64/XZ of a file as 16 hexadecimal digits (what `xz --check=crc64` stores). Throws RuntimeError.
std::string file_checksum(const std::string& path);

}  // namespace coterie::traces
