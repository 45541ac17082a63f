#include "sim/files/file_kind.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/errors.hpp"
#include "core/utf8.hpp"
#include "sim/files/seal.hpp"

namespace coterie::sim {
namespace {

bool is_plain(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure);
}

/// What stands at `offset`, as far as there is so much.
std::string bytes_at(std::ifstream& file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool ends_with_seal(std::ifstream& file, std::uint64_t size) {
  return size >= Seal::kEndBytes && Seal::ends_with(bytes_at(file, size - Seal::kEndBytes, Seal::kEndBytes));
}

/// HDF5 looks at 0, 512, 1024, 2048, ... [HDF5 File Format Specification, II.A]
bool has_signature(std::ifstream& file, std::uint64_t size) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  for (std::uint64_t offset = 0; offset + kSignature.size() <= size; offset = offset == 0 ? 512 : 2 * offset)
    if (bytes_at(file, offset, kSignature.size()) == kSignature) return true;
  return false;
}

}  // namespace

bool looks_like_text(const std::string& path) {
  constexpr std::size_t kLooked = 4096;
  if (!is_plain(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start = bytes_at(file, 0, kLooked);
  for (int cut = 0; cut < 3 && start.size() >= kLooked - 3 && !is_utf8(start); ++cut) start.pop_back();
  return !start.empty() && start.find('\0') == std::string::npos && is_utf8(start);
}

bool looks_like_result(const std::string& path) {
  if (!is_plain(path)) return false;
  std::error_code failure;
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  std::ifstream file(path, std::ios::binary);
  if (failure || !file) return false;
  if (has_signature(file, size) || ends_with_seal(file, size)) return true;
  if (file.bad()) throw RuntimeError(path + ": cannot be read to its end");
  return path.ends_with(".h5") && !looks_like_text(path);
}

}  // namespace coterie::sim
