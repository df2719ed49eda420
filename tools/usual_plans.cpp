// Run by the build: writes the capture plans of the usual request to standard output, to be put into the binary.
// kassist/plans/usual_plans.hpp says in which order.
#include <cstdio>
#include <span>

#include "kassist/plans/plan_table.hpp"

namespace {

template <typename Value>
bool write(std::span<const Value> values) {
  return std::fwrite(values.data(), sizeof(Value), values.size(), stdout) == values.size();
}

}  // namespace

int main() {
  strut::PlanTable table = strut::plans_for({});
  strut::PlanView all = table.view();
  constexpr size_t kWords = 4;  // so that the next table is aligned
  const uint32_t head[kWords] = {all.seed};
  bool written = write(std::span<const uint32_t>(head)) && write(all.calls) && write(all.buckets) && write(all.ops) &&
                 std::fflush(stdout) == 0;
  if (!written) std::perror("usual_plans");
  return written ? 0 : 1;
}
