#include "core/contract.hpp"

#include <fmt/format.h>

namespace coterie {

void report_broken_contract(const char* file, int line, const char* condition) {
  throw BrokenContract(fmt::format("{}:{}: requires {}", file, line, condition));
}

}  // namespace coterie
