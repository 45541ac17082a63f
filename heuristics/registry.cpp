namespace coterie::heuristics {}
