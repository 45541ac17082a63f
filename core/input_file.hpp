#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace coterie {

/// Is it a stream (a pipe, /dev/stdin, a terminal) rather than a file? Throws RuntimeError for directories, sockets and
/// disks, which hold no text, and if it cannot be determined.
bool is_stream(const std::string& path);

/// Throws RuntimeError unless it is a plain file, or a link to one; `why` says why one is needed.
void require_plain_file(const std::string& path, const std::string& why);

/// Throws RuntimeError with the system's reason if the plain file cannot be opened.
std::ifstream open_plain_file(const std::string& path);

/// The whole text of a file or stream. Throws RuntimeError if it cannot be read or is larger than `most_bytes`, or if a
/// stream contains a zero byte (text has none, /dev/zero nothing else) but does not begin as what `is_packed` takes, or
/// is a pipe that nobody writes to.
std::string read_text(const std::string& path, std::size_t most_bytes,
                      bool (*is_packed)(std::string_view begin) = nullptr);

}  // namespace coterie
