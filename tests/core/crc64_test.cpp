#include "core/crc64.hpp"

#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <string>

#include "core/stream.hpp"

namespace coterie {
namespace {

std::uint64_t crc_of(std::string_view text) { return Crc64().update(std::as_bytes(std::span(text))).value(); }

// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms (Cook).
TEST(Crc64, HasItsCheckValue) {
  EXPECT_EQ(crc_of("123456789"), 0x995DC9BBDF1939FAu);
  EXPECT_EQ(crc_of(""), 0u);
}

TEST(Crc64, IsThatOfBoostForAnyLengthAndAnyPieces) {
  Stream random(StreamKey::derive(2013, 1, Use::kArrival), 0, 0);
  std::string text;
  for (int length = 0; length < 200; ++length, text += static_cast<char>(random())) {
    boost::crc_optimal<64, 0x42F0E1EBA9EA3693u, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> known;
    known.process_bytes(text.data(), text.size());
    ASSERT_EQ(crc_of(text), known.checksum()) << length;
    const std::size_t cut = random() % (text.size() + 1);
    const auto bytes = std::as_bytes(std::span(text));
    ASSERT_EQ(Crc64().update(bytes.first(cut)).update(bytes.subspan(cut)).value(), known.checksum()) << length;
  }
}

}  // namespace
}  // namespace coterie
