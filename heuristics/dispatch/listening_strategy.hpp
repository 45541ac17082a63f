#pragma once

#include <functional>
#include <memory>
#include <string>

namespace coterie::heuristics {

class ListeningPolicy;
struct DispatchQuestion;

/// Makes a policy that is ready to run; one per thread.
using PolicyMaker = std::function<std::unique_ptr<ListeningPolicy>()>;

/// A way to hand out work by what is heard.
struct ListeningStrategy {
  std::string name;
  std::string summary;
  std::string source;
  PolicyMaker (*prepare)(const DispatchQuestion& question);
};

}  // namespace coterie::heuristics
