#pragma once

#include <stdexcept>

namespace coterie {

/// A caller did not meet what a function requires: a bug, not bad input.
class BrokenContract : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenContract: `core/x.cpp:12: requires size > 0`.
[[noreturn]] void report_broken_contract(const char* file, int line, const char* condition);

}  // namespace coterie

/// What a function requires of its caller. Checked in builds with tests, Debug builds and under sanitizers; in others
/// the condition is not evaluated.
#ifdef COTERIE_CONTRACTS
#define COTERIE_REQUIRE(...) \
  ((__VA_ARGS__) ? void() : ::coterie::report_broken_contract(__FILE__, __LINE__, #__VA_ARGS__))
#else
#define COTERIE_REQUIRE(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif
