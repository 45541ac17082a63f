#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace coterie {

/// Where the running test may write: nobody else's, neither another test's nor another run's at the same time.
inline std::string own_path(const std::string& ending) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + "." + test.name();
  std::replace(name.begin(), name.end(), '/', '_');  // of parameters
  return testing::TempDir() + name + "-" + std::to_string(getpid()) + ending;
}

}  // namespace coterie
