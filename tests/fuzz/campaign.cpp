// Campaign files: whatever the bytes, a campaign comes out or InputError; what comes out is sound, can be told again
// and gives the same identities again.
#include "sim/campaign/campaign.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/fuzz_input.hpp"

namespace coterie::fuzz {
namespace {

// Grids of a million configurations are allowed, and take longer than a fuzzer waits.
bool is_huge(const std::string& text) {
  std::size_t digits = 0;
  std::size_t lists = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    lists += c == ',' || c == '.';
    if (digits > 3 || lists > 60) return true;
  }
  return false;
}

int run(const FuzzInput& input) {
  if (is_huge(input.text)) return 0;
  sim::CampaignOverrides overrides;
  if (input.chooses(0)) overrides.instances = 7;
  if (input.chooses(1)) overrides.precision = 0.1;
  if (input.chooses(2)) overrides.settings = {"startup=0.5"};
  // A folder that does not exist: no text may reach a file outside.
  const std::string path = "/nonexistent/campaign.toml";
  try {
    const sim::Campaign campaign = sim::parse_campaign(input.text, path, overrides);
    require(campaign.instances > 0 && !campaign.configurations.empty() && !campaign.strategies.empty());
    std::set<std::string> keys;
    for (const auto& configuration : campaign.configurations) require(keys.insert(configuration.key).second);
    const sim::Campaign again = sim::parse_campaign(campaign.text, path, overrides);
    require(again.resolved() == campaign.resolved());
    for (std::size_t i = 0; i < again.configurations.size(); ++i)
      require(again.configurations[i].identity == campaign.configurations[i].identity);
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
