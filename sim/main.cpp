#include "sim/command_line/command_line.hpp"

int main(int argc, char** argv) { return coterie::sim::command_line({}, argc, argv); }
