#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// The file that a name stands for: where it is a link, what that leads to. So a link stays a link when a file is
/// replaced, and what lies beside a file (its lock, its parts) is found by all of its names. A link that leads nowhere
/// is returned as far as it leads. Throws InputError for links that lead in a circle.
std::string followed(const std::string& path);

/// The same of a file to be written. Throws InputError where that cannot be: no name, a folder, what is no plain file,
/// a link that leads nowhere.
std::string output_target(const std::string& path);

/// Throws InputError where writing `output` (or what is made beside it meanwhile) would replace one of the files that
/// are read, whatever the names of these are.
void protect_inputs(const std::string& output, const std::vector<std::string>& inputs);

/// The same where standard output (>> FILE) is that file.
void protect_from_standard_output(const std::string& input);

}  // namespace coterie::sim
