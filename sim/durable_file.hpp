#pragma once

#include <string>

namespace coterie::sim {

/// Gives a written and closed file its final name so that it outlasts a crash of the machine: its contents reach the
/// disk first, then the name. Whoever looks sees the file of before or the whole new one. Throws RuntimeError.
void publish_file(const std::string& temporary, const std::string& path);

/// Writes a text file that way, through PATH.tmp.
void write_text_durably(const std::string& path, const std::string& text);

}  // namespace coterie::sim
