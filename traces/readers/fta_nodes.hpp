#pragma once

#include <map>
#include <optional>
#include <string>

namespace coterie::traces {

/// Failure zones by identifier, as written in the file; nothing if the file has NULL.
using FtaPlaces = std::map<std::string, std::optional<std::string>, std::less<>>;

/// Where nodes are (node_location), by "platform node".
/// Reads node.tab of the Failure Trace Archive: node_id platform_id node_name node_ip node_location and further columns
/// that are not used, separated by blanks. Throws InputError (E_FIELDS, E_DUPHOST, E_EMPTY) with the place in that
/// file, RuntimeError if it cannot be read.
FtaPlaces read_fta_places(const std::string& path);

/// The names of platforms, by platform identifier. Reads platform.tab: platform_id platform_name platform_location
/// platform_type notes. Throws as read_fta_places does.
FtaPlaces read_fta_platforms(const std::string& path);

}  // namespace coterie::traces
