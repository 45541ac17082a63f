#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/errors.hpp"

namespace coterie::fuzz {

/// The bytes of one attempt as a text, and a byte of choices: the last one, so that seeds are texts as users write
/// them.
struct FuzzInput {
  std::string text;
  unsigned choices = 0;

  FuzzInput(const std::uint8_t* data, std::size_t size) : text(reinterpret_cast<const char*>(data), size) {
    if (text.empty()) return;
    choices = static_cast<unsigned char>(text.back());
    text.pop_back();
  }
  bool chooses(unsigned bit) const { return (choices >> bit & 1u) != 0; }
};

/// A property that must hold for whatever is accepted; a violation is a finding like a crash.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Does `action` end well? False where it throws InputError, the one honest refusal of what a user wrote. Anything else
/// that is thrown is a finding.
template <typename Action>
bool accepts(Action&& action) {
  try {
    std::forward<Action>(action)();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace coterie::fuzz
