#define COTERIE_LOOPS kAvx2LaneLoops
#define COTERIE_LOOPS_NAME "avx2"
#include "sim/kernels/lane_loops_body.hpp"
