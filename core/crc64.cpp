#include "core/crc64.hpp"

#include <lzma.h>

namespace coterie {

Crc64& Crc64::update(std::span<const std::byte> bytes) {
  value_ = lzma_crc64(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), value_);
  return *this;
}

}  // namespace coterie
