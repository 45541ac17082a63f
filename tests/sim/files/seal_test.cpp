#include "sim/files/seal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

std::string content_of(std::size_t size) {
  std::string content(size, ' ');
  for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * i / 7 + i);
  return content;
}

std::string read(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

std::string written(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

std::string sealed(const std::string& name, const std::string& content) {
  const std::string path = written(name, content);
  Seal::append(Descriptor(open_file(path, O_RDWR)).get(), path);
  return path;
}

enum class Found { kIntact, kNoSeal, kDamaged };

Found check(const std::string& path) {
  const Descriptor file(open_file(path, O_RDONLY));
  try {
    const auto seal = Seal::read(file.get(), path);
    if (!seal) return Found::kNoSeal;
    seal->check(file.get(), path);
    return Found::kIntact;
  } catch (const RuntimeError&) {
    return Found::kDamaged;
  }
}

TEST(Seals, AreOfTheWholeContentAndLeaveItAsItIs) {
  constexpr std::size_t kBlock = Seal::kBlockBytes;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, kBlock + 1, 5 * kBlock + 77, std::size_t{3 << 20} + 5}) {
    const std::string content = content_of(size);
    const std::string path = sealed("seal_sizes", content);
    EXPECT_EQ(check(path), Found::kIntact) << size;
    EXPECT_EQ(read(path).substr(0, size), content) << size;
    EXPECT_EQ(Seal::read(Descriptor(open_file(path, O_RDONLY)).get(), path)->content_size(), size);
  }
}

/// Every bit of a small file, seal included.
TEST(Seals, NoFlippedBitGoesUnnoticed) {
  const std::string whole = read(sealed("seal_flip", content_of(50)));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(check(written("seal_flipped", damaged)), Found::kIntact) << "bit " << bit;
  }
}

TEST(Seals, TellWhereTheDamageIs) {
  std::string whole = read(sealed("seal_block", content_of(90 * Seal::kBlockBytes + 9)));
  whole[70 * Seal::kBlockBytes + 5] ^= 1;
  const std::string path = written("seal_block", whole);
  const Descriptor file(open_file(path, O_RDONLY));
  try {
    Seal::read(file.get(), path)->check(file.get(), path);
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_EQ(std::string(error.what()), path + ": is damaged: bytes 1146880 to 1163263 differ from what was written");
  }
}

TEST(Seals, CutAndContinuedFilesHaveNone) {
  const std::string whole = read(sealed("seal_cut", content_of(300)));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(check(written("seal_shorter", whole.substr(0, size))), Found::kNoSeal) << size;
  EXPECT_EQ(check(written("seal_longer", whole + "x")), Found::kNoSeal);
  EXPECT_EQ(check(written("seal_shifted", "x" + whole)), Found::kDamaged);
}

TEST(Seals, AFullDiskIsToldOf) {
  const Descriptor full(open_file("/dev/full", O_RDWR));
  EXPECT_THROW(Seal::append(full.get(), "full"), RuntimeError);
}

}  // namespace
}  // namespace coterie::sim
