#include "sim/sampling/sobol_points.hpp"

#include <boost/random/sobol.hpp>
#include <stdexcept>

#include "sim/model_interface/sampling.hpp"

namespace coterie::sim {
namespace {

constexpr unsigned kDigits = 32;
using Engine = boost::random::sobol_engine<std::uint32_t, kDigits>;

}  // namespace

std::size_t SobolPoints::most_workers() { return boost::random::default_sobol_table::max_dimension; }

SobolPoints::SobolPoints(const StreamKey& shifts, std::size_t workers) : workers_(workers) {
  if (workers > most_workers()) throw std::invalid_argument("more workers than Sobol points have coordinates");
  // Point n is the sum, without carry, of the directions of the ones in n's Gray code; that of 2^(k+1) - 1 is 2^k. The
  // engine leaves out point 0, which is zero.
  Engine engine(workers);
  directions_.resize(kDigits * workers);
  for (unsigned k = 0; k < kDigits; ++k) {
    const auto number = static_cast<std::uint32_t>((std::uint64_t{2} << k) - 1);
    engine.seed(number - 1);
    for (std::size_t w = 0; w < workers; ++w) directions_[k * workers + w] = engine();
  }
  for (std::size_t replicate = 0; replicate < kReplicates; ++replicate)
    for (std::size_t w = 0; w < workers; ++w) {
      Stream stream(shifts, replicate, static_cast<std::uint32_t>(w));
      shifts_.push_back(stream());
    }
}

void SobolPoints::point(std::uint64_t number, std::span<std::uint32_t> digits) const {
  std::fill(digits.begin(), digits.end(), 0);
  std::uint64_t code = number ^ (number >> 1);
  for (const std::uint32_t* direction = directions_.data(); code != 0; code >>= 1, direction += workers_)
    if (code & 1)
      for (std::size_t w = 0; w < workers_; ++w) digits[w] ^= direction[w];
}

void SobolPoints::uniforms(std::uint64_t first_instance, std::size_t lanes, std::span<double> uniforms) const {
  std::vector<std::uint32_t> digits(workers_);
  std::uint64_t number = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t instance = first_instance + lane;
    if (lane == 0 || number != instance / kReplicates) point(number = instance / kReplicates, digits);
    const std::uint32_t* shift = shifts_.data() + replicate_of(instance) * workers_;
    for (std::size_t w = 0; w < workers_; ++w) uniforms[w * lanes + lane] = to_uniform(digits[w] ^ shift[w]);
  }
}

}  // namespace coterie::sim
