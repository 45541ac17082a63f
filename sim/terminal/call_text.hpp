#pragma once

#include <string>

#include "sim/terminal/verb.hpp"

namespace coterie::sim {

/// The call of `verb` as a command line that can be pasted into a shell.
std::string call_text(const Call& call, const std::string& verb);

}  // namespace coterie::sim
