#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace coterie {

/// Does text flow from there (a pipe, /dev/stdin, a terminal) rather than lie in a file? Throws RuntimeError for
/// folders, sockets and disks, which hold no text, and where nothing can be found out.
bool is_stream(const std::string& path);

/// Throws RuntimeError unless it is a plain file, or a link to one; `why` says what needs one.
void require_plain_file(const std::string& path, const std::string& why);

/// Throws RuntimeError with the system's reason where that plain file cannot be opened.
std::ifstream open_plain_file(const std::string& path);

/// The whole text of a file or stream. Throws RuntimeError: it cannot be read, holds more than `most_bytes`, or is a
/// stream that holds a zero byte (text has none, /dev/zero nothing else) or that nobody writes to.
std::string read_text(const std::string& path, std::size_t most_bytes);

}  // namespace coterie
