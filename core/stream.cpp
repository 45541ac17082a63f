#include "core/stream.hpp"

#include <algorithm>

namespace coterie {
namespace {

constexpr std::uint32_t kDomain = 0x636f7465;  // "cote"
constexpr std::uint32_t kAllWorkers = 0xffffffff;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

StreamKey StreamKey::derive(std::uint64_t seed, std::uint64_t identity, Use use) {
  const r123::Philox4x32::key_type key = {{low(seed), high(seed)}};
  const r123::Philox4x32::ctr_type counter = {
      {low(identity), high(identity), static_cast<std::uint32_t>(use), kDomain}};
  const auto words = r123::Philox4x32()(counter, key);
  return {{{words[0], words[1]}}};
}

void worker_uniforms(const StreamKey& key, std::uint64_t instance, std::span<double> uniforms) {
  r123::Philox4x32::ctr_type counter = {{0, kAllWorkers, low(instance), high(instance)}};
  for (std::size_t worker = 0; worker < uniforms.size(); worker += 4, ++counter[0]) {
    const auto words = r123::Philox4x32()(counter, key.key);
    const std::size_t count = std::min<std::size_t>(4, uniforms.size() - worker);
    for (std::size_t word = 0; word < count; ++word) uniforms[worker + word] = to_uniform(words[word]);
  }
}

std::uint64_t identity_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

}  // namespace coterie
