#pragma once

#include <map>
#include <optional>
#include <string>

namespace coterie::traces {

/// Failure zones by identifiers as the file writes them; nothing where the file has NULL.
using FtaPlaces = std::map<std::string, std::optional<std::string>, std::less<>>;

/// Where nodes are (node_location), by "platform node".
/// Reads node.tab of the Failure Trace Archive: node_id platform_id node_name node_ip node_location and more columns,
/// which are not used, separated by blanks. Throws InputError (E_FIELDS, E_DUPHOST, E_EMPTY) with the place in that
/// file, RuntimeError where it cannot be read.
FtaPlaces read_fta_places(const std::string& path);

/// The names of platforms, by platform. Reads platform.tab: platform_id platform_name platform_location platform_type
/// notes. Throws like read_fta_places.
FtaPlaces read_fta_platforms(const std::string& path);

}  // namespace coterie::traces
