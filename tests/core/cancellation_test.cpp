#include "core/cancellation.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <type_traits>

namespace coterie {
namespace {

static_assert(!std::is_base_of_v<std::runtime_error, Cancelled>);  // what InputError and RuntimeError are

TEST(CancellationPoint, DoesNothingOutsideOfScopes) {
  EXPECT_NO_THROW(cancellation_point());
  EXPECT_EQ(CancellationScope::current(), nullptr);
}

TEST(CancellationPoint, ThrowsOnceItIsAskedAndNotBehindTheScope) {
  std::atomic<bool> asked = false;
  {
    const CancellationScope scope(asked);
    EXPECT_NO_THROW(cancellation_point());

    asked = true;

    EXPECT_THROW(cancellation_point(), Cancelled);
    EXPECT_THROW(cancellation_point(), Cancelled);
  }
  EXPECT_NO_THROW(cancellation_point());
}

TEST(CancellationScope, AsksWhatTheScopesAroundItAsk) {
  std::atomic<bool> outer = false;
  std::atomic<bool> inner = false;
  const CancellationScope around(outer);
  {
    const CancellationScope within(inner);
    inner = true;
    EXPECT_THROW(cancellation_point(), Cancelled);
    inner = false;
    outer = true;
    EXPECT_THROW(cancellation_point(), Cancelled);
    outer = false;
    inner = true;
  }
  EXPECT_NO_THROW(cancellation_point());  // the inner wish went with its scope
}

TEST(CancellationScope, HoldsOnOneThreadAndIsHandedToAnother) {
  std::atomic<bool> asked = true;
  const CancellationScope scope(asked);
  const Cancellation* const here = CancellationScope::current();
  bool heard_alone = true;
  bool heard_for_us = false;

  std::thread([&] {
    try {
      cancellation_point();
      heard_alone = false;
    } catch (const Cancelled&) {
    }
    const CancellationScope handed(here);
    try {
      cancellation_point();
    } catch (const Cancelled&) {
      heard_for_us = true;
    }
  }).join();

  EXPECT_FALSE(heard_alone);
  EXPECT_TRUE(heard_for_us);
}

TEST(CancellationScope, OfNobodyHearsNoWish) {
  std::atomic<bool> asked = true;
  const CancellationScope scope(asked);
  {
    const CancellationScope deaf(nullptr);
    EXPECT_NO_THROW(cancellation_point());
  }
  EXPECT_THROW(cancellation_point(), Cancelled);
}

}  // namespace
}  // namespace coterie
