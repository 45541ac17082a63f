#define COTERIE_LOOPS kPortableLaneLoops
#define COTERIE_LOOPS_NAME "portable"
#include "sim/kernels/lane_loops_body.hpp"
