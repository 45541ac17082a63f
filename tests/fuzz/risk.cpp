// Risk expressions: whatever the text, a risk or InputError; a risk is a distribution function.
#include "core/risk.hpp"

#include <cmath>

#include "fuzz/fuzz_input.hpp"
#include "sim/input/risks.hpp"

namespace coterie::fuzz {
namespace {

int run(const FuzzInput& input) {
  sim::RiskLibrary library("/nonexistent");
  try {
    const RiskPtr risk = library.get(input.text);
    double before = 0;
    for (const double t : {0.0, 1e-9, 0.1, 0.5, 1.0, 2.0, 1e3, 1e9}) {
      const double now = risk->probability(t);
      require(now >= 0 && now <= 1 && now >= before - 1e-12);
      before = now;
    }
    const std::string canonical = library.resolve(input.text)->canonical();
    require(library.resolve(canonical)->canonical() == canonical);
  } catch (const InputError&) {
  } catch (const RuntimeError&) {  // a trace that does not exist
  }
  return 0;
}

}  // namespace
}  // namespace coterie::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return coterie::fuzz::run(coterie::fuzz::FuzzInput(data, size));
}
