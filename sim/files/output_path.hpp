#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// The file that a name refers to: for a link, its target. So a link stays a link when a file is replaced, and the
/// files beside it (its lock, its parts) are found under all of its names. A dangling link is followed as far as
/// possible. Throws InputError for a loop of links.
std::string followed(const std::string& path);

/// The same for a file to be written. Throws InputError for an empty name, a folder, anything but a regular file, and a
/// dangling link.
std::string output_target(const std::string& path);

/// Throws InputError if writing `output` would replace one of the input files, under any of their names.
void protect_inputs(const std::string& output, const std::vector<std::string>& inputs);

/// The same if standard output (>> FILE) is that file.
void protect_from_standard_output(const std::string& input);

}  // namespace coterie::sim
