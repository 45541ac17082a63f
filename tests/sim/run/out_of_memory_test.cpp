#include "sim/run/out_of_memory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <vector>

namespace coterie::sim {
namespace {

constexpr std::size_t kTooMuch = std::numeric_limits<std::ptrdiff_t>::max();

/// The address sanitizer ends the process itself.
class OutOfMemory : public testing::Test {
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "too large a request is a mistake to the sanitizer";
#endif
  }
};

TEST_F(OutOfMemory, EndsTheProcessWithWhatHelps) {
  const auto ask = [] {
    const MemoryWatch watch;
    MemoryWatch::set_advice("ask for less");
    std::vector<char>().reserve(kTooMuch);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(1), "^out of memory: .*\nask for less\n$");
}

TEST_F(OutOfMemory, EndsTheProcessWhereALibraryThatIsLinkedInAsks) {
  volatile std::size_t size = kTooMuch;
  const auto ask = [&] {
    const MemoryWatch watch;
    void* volatile made = std::malloc(size);
    std::free(made);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(1), "^out of memory: .*fewer .*instances.*\n$");
}

TEST_F(OutOfMemory, IsAnExceptionWhereNobodyWatches) {
  { const MemoryWatch over; }
  EXPECT_THROW(std::vector<char>().reserve(kTooMuch), std::bad_alloc);
}

}  // namespace
}  // namespace coterie::sim
