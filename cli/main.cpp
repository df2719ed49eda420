// strut's entry.
#include <string>
#include <vector>

#include "cli/personality.hpp"

int main(int argc, char** argv) { return strut::run_strut(std::vector<std::string>(argv, argv + argc)); }
