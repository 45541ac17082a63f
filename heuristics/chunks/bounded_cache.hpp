#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace coterie::heuristics {

/// A cache of answers with a total size of up to `most`; beyond that all are dropped and collected anew. Thread-safe;
/// two threads may compute the same answer.
template <typename Question, typename Answer>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t most) : most_(most) {}

  /// The answer to the question: find(), or its earlier result. An answer larger than the cache is not kept.
  template <typename Find, typename Size>
  Answer get(Question question, const Find& find, const Size& size_of) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
    }
    Answer answer = find();
    const std::size_t size = size_of(answer);
    if (size > most_) return answer;
    const std::lock_guard lock(mutex_);
    if (size_ + size > most_) {
      answers_.clear();
      size_ = 0;
    }
    if (answers_.emplace(std::move(question), answer).second) size_ += size;
    return answer;
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::map<Question, Answer> answers_;
  std::size_t size_ = 0;
};

}  // namespace coterie::heuristics
