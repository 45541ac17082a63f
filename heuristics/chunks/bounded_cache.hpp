#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace coterie::heuristics {

/// Answers found before, of up to `most` in size together: beyond that all are forgotten and collected anew. Threads
/// may share them; two may search for the same.
template <typename Question, typename Answer>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t most) : most_(most) {}

  /// The answer to the question: find(), or what that was before. An answer larger than all is not kept.
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
