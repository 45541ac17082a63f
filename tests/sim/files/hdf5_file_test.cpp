#include "sim/files/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/errors.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

TEST(Hdf5File, HoldsTablesOfNothing) {
  const std::string path = own_path(".h5");
  TemporaryFile made(path);
  Hdf5File file(made);
  file.create_doubles("none", {{0, 3}, {}, 0});
  file.create_doubles("deflated", {{2, 0}, {2, 5}, 1});
  file.close();
  made.publish();

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_EQ(read.shape("none"), (std::vector<hsize_t>{0, 3}));
  EXPECT_EQ(read.shape("deflated"), (std::vector<hsize_t>{2, 0}));
  EXPECT_TRUE(read.read_doubles("none").empty());
  EXPECT_NO_THROW(Hdf5File(path, Hdf5File::Mode::kVerify));
  std::filesystem::remove(path);
}

// A chunk must be below 4 GiB, and is written and read as a whole.
TEST(Hdf5File, DividesLargeTablesIntoSmallChunks) {
  constexpr hsize_t kRows = 2000;
  constexpr hsize_t kColumns = 100;
  const std::string path = own_path(".h5");
  std::vector<double> values(kRows * kColumns);
  std::iota(values.begin(), values.end(), 1);
  TemporaryFile made(path);
  Hdf5File file(made);
  file.create_doubles("small", {{10, kColumns}, {}, 0});
  file.create_doubles("large", {{kRows, kColumns}, {}, 0});
  file.create_doubles("huge", {{6'000'000, kColumns}, {}, 0});  // 4.8 GB
  file.write_doubles("large", values, {0, 0}, {kRows, kColumns});
  file.close();
  made.publish();

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_EQ(read.chunk("small"), (std::vector<hsize_t>{10, kColumns}));
  EXPECT_EQ(read.chunk("large"), (std::vector<hsize_t>{1310, kColumns}));  // 1 MiB
  EXPECT_EQ(read.read_doubles("large"), values);
  std::filesystem::remove(path);
}

/// Filters are those of the library, so that any program reads what they make.
TEST(Hdf5File, KeepsCompressedValuesAndChecksThem) {
  const std::string path = own_path(".h5");
  std::vector<double> values(30'000);
  std::iota(values.begin(), values.end(), 1);
  TemporaryFile made(path);
  Hdf5File file(made);
  file.create_doubles("x", {{2, 30'000}, {1, 7'000}, 4});
  file.write_doubles("x", values, {1, 0}, {1, 30'000});
  file.close();
  made.publish();

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_LT(std::filesystem::file_size(path), 8 * 30'000U);
  EXPECT_EQ(read.read_doubles("x", {1, 0}, {1, 30'000}), values);
  EXPECT_TRUE(std::isnan(read.read_doubles("x", {0, 0}, {1, 1})[0]));
  std::filesystem::remove(path);
}

/// A file of more than 1 GB, most of it a hole: its values are bare, so that only the seal knows of their damage.
TEST(Hdf5File, ComparesTheSealOfAVeryLargeFileOnlyToVerifyIt) {
  constexpr hsize_t kValues = (Hdf5File::kComparedAtOpening >> 3) + 1000;
  const std::string path = own_path(".h5");
  TemporaryFile made(path);
  Hdf5File file(made);
  file.create_doubles("x", {{kValues}, {}, 0, true});
  file.write_doubles("x", std::vector<double>{1}, {kValues - 1}, {1});
  file.close();
  made.publish();
  EXPECT_NO_THROW(Hdf5File(path, Hdf5File::Mode::kVerify));
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(5'000'000).put('\x7');

  EXPECT_TRUE(Hdf5File(path, Hdf5File::Mode::kRead).sealed());
  EXPECT_THROW(Hdf5File(path, Hdf5File::Mode::kVerify), RuntimeError);
  std::filesystem::remove(path);
}

TEST(Hdf5File, IsReadOnceThoseWhoWriteItHaveClosedIt) {
  const std::string path = own_path(".h5");
  TemporaryFile made(path);
  Hdf5File file(made);
  file.write_texts("x", {"text"});
  file.close();
  made.publish();
  const hid_t other = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(other, 0);
  try {
    Hdf5File(path, Hdf5File::Mode::kRead);
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("is open elsewhere"), std::string::npos) << error.what();
  }

  H5Fclose(other);

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_FALSE(read.sealed());
  EXPECT_EQ(read.read_texts("x"), std::vector<std::string>{"text"});
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace coterie::sim
