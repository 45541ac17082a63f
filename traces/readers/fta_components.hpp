#pragma once

#include <map>
#include <optional>
#include <string>

namespace coterie::traces {

/// One row of component.tab: what a component is, and when it was observed. Times are UNIX seconds.
struct FtaComponent {
  std::string type;
  std::optional<double> trace_start;
  std::optional<double> trace_end;
  std::optional<double> resolution;  ///< seconds between two observations
};

/// By "platform node component", with the identifiers as written in the file.
using FtaComponents = std::map<std::string, FtaComponent, std::less<>>;

/// Reads component.tab of the Failure Trace Archive: component_id node_id platform_id creator_id node_name
/// component_type trace_start trace_end resolution, separated by blanks; NULL means that a time is not known. Throws
/// InputError (E_FIELDS, E_NUMBER, E_NEGATIVE, E_DUPHOST, E_EMPTY) with the place in that file, RuntimeError if it
/// cannot be read.
FtaComponents read_fta_components(const std::string& path);

}  // namespace coterie::traces
