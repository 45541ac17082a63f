#define COTERIE_LOOPS kPortableVectorLoops
#include "core/vector_loops_body.hpp"
