#define COTERIE_LOOPS kAvx512LaneLoops
#define COTERIE_LOOPS_NAME "avx512"
#include "sim/kernels/lane_loops_body.hpp"
