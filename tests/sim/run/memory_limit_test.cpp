#include "sim/run/memory_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>

namespace coterie::sim {
namespace {

constexpr std::size_t kGigabyte = std::size_t{1} << 30;

/// Whether so much is given; it is not touched.
bool is_given(std::size_t gigabytes) {
  try {
    ::operator delete(::operator new(gigabytes* kGigabyte));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Ends with code 0 where the limit of so many threads gives `less` and refuses `more`.
void check(int threads, std::size_t less, std::size_t more) {
  limit_memory(threads);
  std::_Exit(is_given(less) && !is_given(more) ? 0 : 1);
}

class MemoryLimitDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    rlimit limit = {};
    getrlimit(RLIMIT_DATA, &limit);
    if (limit.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "there is a limit already";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers have memory of their own";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "sanitizers have memory of their own";
#endif
#endif
  }
};

TEST_F(MemoryLimitDeathTest, RefusesWhatNoInputMayAskFor) {
  EXPECT_EXIT(check(1, 5, 6), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(check(3, 9, 10), testing::ExitedWithCode(0), "");
}

TEST_F(MemoryLimitDeathTest, GrowsWithTheThreadsThatAreToldLater) {
  EXPECT_EXIT(
      {
        limit_memory(1);
        check(3, 9, 10);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(MemoryLimitDeathTest, KeepsALowerLimitOfTheUser) {
  EXPECT_EXIT(
      {
        rlimit limit = {};
        getrlimit(RLIMIT_DATA, &limit);
        limit.rlim_cur = 2 * kGigabyte;
        setrlimit(RLIMIT_DATA, &limit);
        check(3, 1, 2);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace coterie::sim
