#define COTERIE_LOOPS kAvx512VectorLoops
#include "core/vector_loops_body.hpp"
