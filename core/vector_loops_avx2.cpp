#define COTERIE_LOOPS kAvx2VectorLoops
#include "core/vector_loops_body.hpp"
