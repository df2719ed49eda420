#include <array>

#include "base/result.hpp"
#include "kassist/plans/plan_table.hpp"

namespace strut {

namespace {

uint32_t bucket_of(const wire_command& command, uint32_t seed) {
  return wire_bucket_of(command.call, command.command, seed);
}

/// Whether no bucket would have to hold more than it can.
bool fits(const PlanTable& table, uint32_t seed) {
  std::array<uint8_t, WIRE_BUCKETS> filled{};
  for (const wire_command& command : table.commands)
    if (filled[bucket_of(command, seed)]++ == WIRE_BUCKET) return false;
  return true;
}

}  // namespace

void fill_buckets(PlanTable& table) {
  table.buckets.clear();
  if (table.commands.empty()) return;
  constexpr int kMaxSeeds = 10000;  // with as many commands as there may be every second one fits
  uint32_t seed = 0x9e3779b1;
  for (int tried = 0; !fits(table, seed); seed = seed * 0x85ebca6b + 2) CHECK_THAT(++tried < kMaxSeeds);
  table.buckets.resize(WIRE_BUCKETS);
  std::array<uint8_t, WIRE_BUCKETS> filled{};
  for (size_t i = 0; i < table.commands.size(); i++) {
    const wire_command& command = table.commands[i];
    uint32_t at = bucket_of(command, seed), place = filled[at]++;
    table.buckets[at].keys[place] = wire_key_of(command.call, command.command);
    table.buckets[at].plans[place] = table.command_plans[i];
  }
  table.seed = seed;
}

}  // namespace strut
