#include "sim/files/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

TEST(Hdf5File, HoldsTablesOfNothing) {
  const std::string path = own_path(".h5");
  Hdf5File file(path, Hdf5File::Mode::kCreate);
  file.create_doubles("none", {{0, 3}, {}, 0});
  file.create_doubles("deflated", {{2, 0}, {2, 5}, 1});
  file.close();

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_EQ(read.shape("none"), (std::vector<hsize_t>{0, 3}));
  EXPECT_EQ(read.shape("deflated"), (std::vector<hsize_t>{2, 0}));
  EXPECT_TRUE(read.read_doubles("none").empty());
  read.verify();
  std::filesystem::remove(path);
}

// A chunk must be below 4 GiB, and is written and read as a whole.
TEST(Hdf5File, DividesLargeTablesIntoSmallChunks) {
  constexpr hsize_t kRows = 2000;
  constexpr hsize_t kColumns = 100;
  const std::string path = own_path(".h5");
  std::vector<double> values(kRows * kColumns);
  std::iota(values.begin(), values.end(), 1);
  Hdf5File file(path, Hdf5File::Mode::kCreate);
  file.create_doubles("small", {{10, kColumns}, {}, 0});
  file.create_doubles("large", {{kRows, kColumns}, {}, 0});
  file.create_doubles("huge", {{6'000'000, kColumns}, {}, 0});  // 4.8 GB
  file.write_doubles("large", values, {0, 0}, {kRows, kColumns});
  file.close();

  const Hdf5File read(path, Hdf5File::Mode::kRead);
  EXPECT_EQ(read.chunk("small"), (std::vector<hsize_t>{10, kColumns}));
  EXPECT_EQ(read.chunk("large"), (std::vector<hsize_t>{1310, kColumns}));  // 1 MiB
  EXPECT_EQ(read.read_doubles("large"), values);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace coterie::sim
