// What HDF5's library writes itself is the reference: byte for byte.
#include "sim/files/chunk_filters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "sim/files/hdf5_file.hpp"
#include "tests/own_path.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

/// The bytes of the only chunk of a dataset.
std::vector<std::byte> stored_chunk(const std::string& path, const char* dataset) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle set(H5Dopen2(file.get(), dataset, H5P_DEFAULT), H5Dclose);
  const hsize_t first = 0;
  hsize_t size = 0;
  H5Dget_chunk_storage_size(set.get(), &first, &size);
  std::vector<std::byte> bytes(size);
  std::uint32_t filters = 1;
  EXPECT_GE(H5Dread_chunk(set.get(), H5P_DEFAULT, &first, &filters, bytes.data()), 0);
  EXPECT_EQ(filters, 0u);  // none was left out
  return bytes;
}

std::vector<std::vector<double>> chunks() {
  std::vector<std::vector<double>> all = {{0}, {1}, std::vector<double>(3, std::nan("")), std::vector<double>(1000, 0)};
  Dice dice("chunks");
  for (const std::size_t size : {2, 7, 1000, 40'000, 131'072}) {
    std::vector<double> values(size);
    for (double& value : values) value = dice.coin() ? dice.real(0, 1) : static_cast<double>(dice.whole(0, 3)) / 4;
    all.push_back(values);
  }
  // All bits set: every word is 0 modulo 2^16 - 1, but none is zero, and sums are the greatest.
  std::vector<double> ones(2000);
  std::memset(ones.data(), 0xFF, ones.size() * sizeof(double));
  all.push_back(ones);
  return all;
}

TEST(ChunkFilters, MakeWhatTheLibraryMakes) {
  const std::string path = own_path(".h5");
  for (const std::vector<double>& values : chunks())
    for (const int deflate : {0, 1, 4, 9}) {
      const Hdf5Layout layout{{values.size()}, {values.size()}, deflate};
      Hdf5File file(path, Hdf5File::Mode::kCreate);
      file.create_doubles("its", layout);
      file.write_doubles("its", values, {0}, {values.size()});
      file.create_doubles("ours", layout);
      std::vector<std::byte> filtered(17);  // of something before
      filter_chunk(values, deflate, filtered);
      file.write_chunk("ours", filtered, {0});
      file.close();

      ASSERT_EQ(filtered, stored_chunk(path, "its")) << values.size() << " deflate " << deflate;
      ASSERT_EQ(filtered, stored_chunk(path, "ours"));
      const std::vector<double> read = Hdf5File(path, Hdf5File::Mode::kRead).read_doubles("ours");
      ASSERT_EQ(std::memcmp(read.data(), values.data(), values.size() * sizeof(double)), 0);
    }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace coterie::sim
