#pragma once

#include <string>

namespace coterie::sim {

/// Is the file a result of coterie, whole or broken? Recognised by the signature of HDF5, at its beginning or where
/// HDF5 looks for it later, by the seal at its end, or by a name in .h5 with content that is not text.
bool looks_like_result(const std::string& path);

/// Does a regular file begin like a text: not empty, without zero bytes, and valid UTF-8?
bool looks_like_text(const std::string& path);

}  // namespace coterie::sim
