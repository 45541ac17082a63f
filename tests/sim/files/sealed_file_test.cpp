#include "sim/files/sealed_file.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/files/child_process.hpp"
#include "sim/files/sealed_writer.hpp"
#include "tests/sim/dice.hpp"

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

auto bytes_of(const std::string& content) { return std::as_bytes(std::span(content)); }

std::string sealed(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  SealedWriter writer(path);
  EXPECT_TRUE(writer.write(0, bytes_of(content)));
  writer.seal();
  return path;
}

class SealedFiles : public testing::TestWithParam<std::size_t> {};

TEST_P(SealedFiles, AreReadAsTheyWereWritten) {
  const std::string content = content_of(GetParam());
  const auto file = SealedFile::open(sealed("sealed_" + std::to_string(content.size()), content));

  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), content.size());
  EXPECT_TRUE(file->check());
  for (const std::size_t offset : {std::size_t{0}, content.size() / 3, content.size()}) {
    std::string got(content.size() + 3, 'x');
    ASSERT_TRUE(file->read(offset, std::as_writable_bytes(std::span(got))));
    EXPECT_EQ(got.substr(0, content.size() - offset), content.substr(offset));
    EXPECT_EQ(got.substr(content.size() - offset), std::string(3 + offset, '\0'));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SealedFiles,
                         testing::Values(0, 1, SealedFile::kBlockBytes - 1, SealedFile::kBlockBytes,
                                         SealedFile::kBlockBytes + 1, 5 * SealedFile::kBlockBytes + 77));

/// Every bit of a small file, seal included: the flip is met, or the file has no seal any more.
TEST(SealedFiles, NoFlippedBitGoesUnnoticed) {
  const std::string whole = read(sealed("sealed_flip", content_of(50)));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const std::string path = written("sealed_flipped", damaged);
    bool noticed = false;
    try {
      const auto file = SealedFile::open(path);
      noticed = !file || !file->check();
    } catch (const RuntimeError&) {
      noticed = true;
    }
    EXPECT_TRUE(noticed) << "bit " << bit;
  }
}

TEST(SealedFiles, DamageIsOfOneBlockAndHasAPlace) {
  std::string content = content_of(4 * SealedFile::kBlockBytes);
  const std::string path = sealed("sealed_block", content);
  const std::size_t at = 2 * SealedFile::kBlockBytes + 5;
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)).put('\x7');
  const auto file = SealedFile::open(path);

  std::string before(2 * SealedFile::kBlockBytes, ' ');
  EXPECT_TRUE(file->read(0, std::as_writable_bytes(std::span(before))));
  EXPECT_FALSE(file->damage());
  EXPECT_FALSE(file->read(at + 100, std::as_writable_bytes(std::span(before)).first(1)));
  ASSERT_TRUE(file->damage());
  EXPECT_EQ(file->damage()->first, 2 * SealedFile::kBlockBytes);
  EXPECT_EQ(file->damage()->second, 3 * SealedFile::kBlockBytes - 1);
  EXPECT_FALSE(file->check());
}

TEST(SealedFiles, CutAndContinuedFilesAreNotSealed) {
  const std::string whole = read(sealed("sealed_cut", content_of(300)));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(SealedFile::open(written("sealed_shorter", whole.substr(0, size)))) << size;
  EXPECT_FALSE(SealedFile::open(written("sealed_longer", whole + "x")));
  EXPECT_THROW(SealedFile::open(written("sealed_twice", "x" + whole)), RuntimeError);
  EXPECT_THROW(SealedFile::open(testing::TempDir() + "sealed_no_such_file"), RuntimeError);
  EXPECT_THROW(SealedWriter("/nonexistent/file"), RuntimeError);
}

/// Pieces anywhere, one over the other, with gaps, cut off and made longer: the seal is that of what came of it.
TEST(SealedWriter, SealsWhatWasWrittenInWhateverOrder) {
  Dice dice("sealed pieces");
  const std::string path = testing::TempDir() + "sealed_pieces";
  for (int round = 0; round < 60; ++round) {
    std::string expected;
    SealedWriter writer(path);
    for (int step = 0; step < 12; ++step) {
      const std::size_t most = 5 * SealedFile::kBlockBytes;
      const bool goes_on = dice.real(0, 1) < 0.4;
      std::size_t at = goes_on ? expected.size() : dice.whole(0, most);
      if (dice.real(0, 1) < 0.3) at -= at % SealedFile::kBlockBytes;
      if (dice.real(0, 1) < 0.1) {
        ASSERT_TRUE(writer.resize(at));
        expected.resize(at, '\0');
        continue;
      }
      std::string piece(dice.whole(1, dice.real(0, 1) < 0.5 ? 100 : 3 * SealedFile::kBlockBytes), ' ');
      for (char& c : piece) c = static_cast<char>(dice.whole(0, 255));
      ASSERT_TRUE(writer.write(at, bytes_of(piece)));
      expected.resize(std::max(expected.size(), at + piece.size()), '\0');
      expected.replace(at, piece.size(), piece);
      ASSERT_EQ(writer.size(), expected.size());
    }
    std::string got(expected.size() + 5, 'x');
    ASSERT_TRUE(writer.read(0, std::as_writable_bytes(std::span(got))));
    ASSERT_EQ(got, expected + std::string(5, '\0'));
    writer.seal();
    const auto file = SealedFile::open(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->check()) << "round " << round;
    ASSERT_EQ(read(path), read(sealed("sealed_at_once", expected)));
  }
}

/// What a disk makes of the bytes between their writing and the seal is damage.
TEST(SealedWriter, SealsWhatWasHandedOverNotWhatBecameOfIt) {
  const std::string content = content_of(3 * SealedFile::kBlockBytes);
  const std::string path = testing::TempDir() + "sealed_late";
  SealedWriter writer(path);
  ASSERT_TRUE(writer.write(0, bytes_of(content)));
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(20'000).put('\x7');
  writer.seal();
  const auto file = SealedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->check());
  ASSERT_TRUE(file->damage());
  EXPECT_EQ(file->damage()->first, SealedFile::kBlockBytes);
}

TEST(SealedWriter, AFullDiskIsAFailedWriteOrSeal) {
  SealedWriter writer("/dev/full");
  EXPECT_FALSE(writer.write(0, bytes_of("x")));
  SealedWriter empty("/dev/full");
  EXPECT_THROW(empty.seal(), RuntimeError);
}

TEST(ChildProcess, TellsHowItEnded) {
  EXPECT_FALSE(problem_in_child([] {}, 9));
  EXPECT_EQ(problem_in_child([] { throw RuntimeError("because"); }, 9), "because");
  EXPECT_EQ(problem_in_child([] { throw RuntimeError(std::string(200'000, 'x')); }, 9), std::string(200'000, 'x'));
  for (const int signal : {SIGSEGV, SIGKILL, SIGABRT}) {
    const auto problem = problem_in_child([signal] { ::raise(signal); }, 9);
    ASSERT_TRUE(problem) << signal;
    EXPECT_NE(problem->find("crashes"), std::string::npos) << *problem;
  }
  EXPECT_TRUE(problem_in_child(
      [] {
        for (volatile bool forever = true; forever;) continue;
      },
      1));
}

}  // namespace
}  // namespace coterie::sim
