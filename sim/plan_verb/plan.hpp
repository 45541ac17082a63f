#pragma once

#include "sim/terminal/verb.hpp"

namespace coterie::sim {

int plan_verb(const Call& call);

}  // namespace coterie::sim
