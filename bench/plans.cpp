// Cost of computing a run's capture plans, a part of each start of the kernel assist.
//
// Usage: plans [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kassist/plans/plan_table.hpp"

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
  std::vector<double> times;
  strut::PlanTable table;
  for (int i = 0; i < rounds; i++) {
    auto began = std::chrono::steady_clock::now();
    table = strut::plans_for({});
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
  }
  double first = times.front();
  std::ranges::sort(times);
  std::printf("%zu plans of commands, %zu ops: %.2f ms the first time, then %.2f (median), %.2f (lowest)\n",
              table.commands.size(), table.ops.size(), first, times[times.size() / 2], times.front());
  return 0;
}
