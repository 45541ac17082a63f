#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace coterie::sim {

/// One line that says what takes so long, on standard error if that is a terminal. It appears after two seconds, is
/// kept up to date, and is removed at the end.
class StageLine {
 public:
  StageLine();
  ~StageLine() { finish(); }
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void show(const std::string& stage);
  void finish();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  bool over_ = false;
  std::thread thread_;  // none elsewhere
};

}  // namespace coterie::sim
