#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace coterie::sim {

// Calls of the system that begin anew where a signal interrupts them, and go on where they did only a part. Where they
// fail, errno tells why.

/// Flags are those of open(2), to which O_CLOEXEC is added. Negative where that fails.
int open_file(const std::string& path, int flags);
/// As many bytes as `to` has, from `offset` of an open file on. False where they cannot be read; errno is 0
/// where the file ends before.
bool read_at(int file, std::uint64_t offset, std::span<std::byte> to);
/// All of the bytes.
bool write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes);
/// Cuts off, or adds zeros.
bool resize_file(int file, std::uint64_t size);
/// To disk.
bool flush(int file);

}  // namespace coterie::sim
