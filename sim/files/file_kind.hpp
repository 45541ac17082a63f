#pragma once

#include <string>

namespace coterie::sim {

/// Is the file a result of coterie, whole or broken? By the signature of HDF5, at its beginning or where HDF5 looks for
/// it further on, by the checksum trailer at its end, or by a name in .h5 where what is in it is no text.
bool looks_like_result(const std::string& path);

/// Does a plain file begin like a text: bytes that are there, none of them zero, all of them UTF-8?
bool looks_like_text(const std::string& path);

}  // namespace coterie::sim
