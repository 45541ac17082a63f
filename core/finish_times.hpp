#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace coterie {

/// When tasks end, in order. Immutable, so that copies, and prefixes of others, share the numbers.
class FinishTimes {
 public:
  FinishTimes() = default;
  FinishTimes(std::vector<double> times)
      : times_(std::make_shared<const std::vector<double>>(std::move(times))),
        data_(times_->data()),
        size_(times_->size()) {}

  /// The first `count` of them, at most size().
  FinishTimes first(std::size_t count) const {
    FinishTimes shared = *this;
    shared.size_ = count;
    return shared;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const double* begin() const { return data_; }
  const double* end() const { return data_ + size_; }
  double operator[](std::size_t k) const { return data_[k]; }
  double back() const { return data_[size_ - 1]; }

  /// Whether `longer` begins with these. Fast if the numbers are shared.
  bool are_first_of(const FinishTimes& longer) const {
    return size_ <= longer.size_ && (data_ == longer.data_ || std::equal(begin(), end(), longer.begin()));
  }
  /// Whether these are the same numbers in memory.
  bool shares(const FinishTimes& other) const { return size_ == other.size_ && data_ == other.data_; }
  /// Fast if the numbers are shared.
  friend bool operator==(const FinishTimes& a, const FinishTimes& b) {
    return a.size_ == b.size_ && (a.shares(b) || std::equal(a.begin(), a.end(), b.begin()));
  }

 private:
  std::shared_ptr<const std::vector<double>> times_;
  const double* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace coterie
