#include "sim/files/checked_file.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/files/child_process.hpp"
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

std::string finished(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  const auto writer = CheckedFile::create(path);
  EXPECT_TRUE(writer->write(0, bytes_of(content)));
  writer->finish();
  return path;
}

class CheckedFiles : public testing::TestWithParam<std::size_t> {};

TEST_P(CheckedFiles, AreReadAsTheyWereWritten) {
  const std::string content = content_of(GetParam());
  const auto file = CheckedFile::open(finished("checked_" + std::to_string(content.size()), content));

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

INSTANTIATE_TEST_SUITE_P(Sizes, CheckedFiles,
                         testing::Values(0, 1, CheckedFile::kBlockBytes - 1, CheckedFile::kBlockBytes,
                                         CheckedFile::kBlockBytes + 1, 5 * CheckedFile::kBlockBytes + 77));

/// Every bit of a small file, trailer included: the flip is met, or the file has no trailer any more.
TEST(CheckedFiles, NoFlippedBitGoesUnnoticed) {
  const std::string whole = read(finished("checked_flip", content_of(50)));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    const std::string path = written("checked_flipped", damaged);
    bool noticed = false;
    try {
      const auto file = CheckedFile::open(path);
      noticed = !file || !file->check();
    } catch (const RuntimeError&) {
      noticed = true;
    }
    EXPECT_TRUE(noticed) << "bit " << bit;
  }
}

TEST(CheckedFiles, DamageIsOfOneBlockAndHasAPlace) {
  std::string content = content_of(4 * CheckedFile::kBlockBytes);
  const std::string path = finished("checked_block", content);
  const std::size_t at = 2 * CheckedFile::kBlockBytes + 5;
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)).put('\x7');
  const auto file = CheckedFile::open(path);

  std::string before(2 * CheckedFile::kBlockBytes, ' ');
  EXPECT_TRUE(file->read(0, std::as_writable_bytes(std::span(before))));
  EXPECT_FALSE(file->damage());
  EXPECT_FALSE(file->read(at + 100, std::as_writable_bytes(std::span(before)).first(1)));
  ASSERT_TRUE(file->damage());
  EXPECT_EQ(file->damage()->first, 2 * CheckedFile::kBlockBytes);
  EXPECT_EQ(file->damage()->second, 3 * CheckedFile::kBlockBytes - 1);
  EXPECT_FALSE(file->check());
}

TEST(CheckedFiles, CutAndContinuedFilesHaveNoTrailer) {
  const std::string whole = read(finished("checked_cut", content_of(300)));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(CheckedFile::open(written("checked_shorter", whole.substr(0, size)))) << size;
  EXPECT_FALSE(CheckedFile::open(written("checked_longer", whole + "x")));
  EXPECT_THROW(CheckedFile::open(written("checked_twice", "x" + whole)), RuntimeError);
  EXPECT_THROW(CheckedFile::open(testing::TempDir() + "checked_no_such_file"), RuntimeError);
  EXPECT_THROW(CheckedFile::create("/nonexistent/file"), RuntimeError);
}

/// Pieces anywhere, one over the other, with gaps, cut off and made longer: the trailer is that of what came of it.
TEST(CheckedFiles, TrailerIsOfWhatWasWrittenInWhateverOrder) {
  Dice dice("checked pieces");
  const std::string path = testing::TempDir() + "checked_pieces";
  for (int round = 0; round < 60; ++round) {
    std::string expected;
    const auto writer = CheckedFile::create(path);
    for (int step = 0; step < 12; ++step) {
      const std::size_t most = 5 * CheckedFile::kBlockBytes;
      const bool goes_on = dice.real(0, 1) < 0.4;
      std::size_t at = goes_on ? expected.size() : dice.whole(0, most);
      if (dice.real(0, 1) < 0.3) at -= at % CheckedFile::kBlockBytes;
      if (dice.real(0, 1) < 0.1) {
        ASSERT_TRUE(writer->resize(at));
        expected.resize(at, '\0');
        continue;
      }
      std::string piece(dice.whole(1, dice.real(0, 1) < 0.5 ? 100 : 3 * CheckedFile::kBlockBytes), ' ');
      for (char& c : piece) c = static_cast<char>(dice.whole(0, 255));
      ASSERT_TRUE(writer->write(at, bytes_of(piece)));
      expected.resize(std::max(expected.size(), at + piece.size()), '\0');
      expected.replace(at, piece.size(), piece);
      ASSERT_EQ(writer->size(), expected.size());
    }
    std::string got(expected.size() + 5, 'x');
    ASSERT_TRUE(writer->read(0, std::as_writable_bytes(std::span(got))));
    ASSERT_EQ(got, expected + std::string(5, '\0'));
    writer->finish();
    const auto file = CheckedFile::open(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->check()) << "round " << round;
    ASSERT_EQ(read(path), read(finished("checked_at_once", expected)));
  }
}

/// What a disk makes of the bytes between their writing and the trailer is damage.
TEST(CheckedFiles, TrailerIsOfWhatWasHandedOverNotWhatBecameOfIt) {
  const std::string content = content_of(3 * CheckedFile::kBlockBytes);
  const std::string path = testing::TempDir() + "checked_late";
  const auto writer = CheckedFile::create(path);
  ASSERT_TRUE(writer->write(0, bytes_of(content)));
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(20'000).put('\x7');
  writer->finish();
  const auto file = CheckedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->check());
  ASSERT_TRUE(file->damage());
  EXPECT_EQ(file->damage()->first, CheckedFile::kBlockBytes);
}

TEST(CheckedFiles, AFullDiskIsAFailedWriteOrTrailer) {
  const auto writer = CheckedFile::create("/dev/full");
  EXPECT_FALSE(writer->write(0, bytes_of("x")));
  const auto empty = CheckedFile::create("/dev/full");
  EXPECT_THROW(empty->finish(), RuntimeError);
}

TEST(ChildProcess, ACrashOfThisProcessEndsWithTheMessage) {
  for (const int signal : {SIGSEGV, SIGABRT})
    EXPECT_EXIT(
        {
          const CrashMessage message("r.h5: is damaged");
          ::raise(signal);
        },
        testing::ExitedWithCode(1), "^r.h5: is damaged\n$");
  EXPECT_EXIT(
      {
        {
          const CrashMessage first("a.h5: is damaged");
          const CrashMessage second("b.h5: is damaged");
        }
        std::signal(SIGABRT, SIG_DFL);  // where it was no other's
        ::raise(SIGABRT);
      },
      testing::KilledBySignal(SIGABRT), "^$");
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
