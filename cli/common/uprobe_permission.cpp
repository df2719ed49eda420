#include "cli/common/uprobe_permission.hpp"

#include <string>

#include "cli/common/numbers.hpp"

namespace strut {
namespace {

bool is_permitted(const UprobeLoad& load, const UprobeWish& wish) {
  if (load.fits()) return true;
  if (wish.permitted_by == PermittedBy::Backend) return wish.backend == BackendChoice::Kassist;
  return wish.number && load.uprobes <= *wish.number;
}

constexpr uint64_t kSecond_ns = 1'000'000'000;

std::string uprobes_text(const UprobeLoad& load) {
  return grouped(load.uprobes) + " uprobes in files that other processes map";
}

std::string advice_on(const UprobeLoad& load, const UprobeWish& wish) {
  std::string advice = (wish.permitted_by == PermittedBy::Number ? "-x maxprobes=" + std::to_string(load.uprobes)
                                                                 : std::string("--backend=kassist")) +
                       " permits it";
  if (wish.instead == Instead::Breakpoints) advice += ", --backend=ptrace does without them";
  return advice;
}

}  // namespace

Result<BackendChoice> backend_for(const UprobeLoad& load, const UprobeWish& wish) {
  if (wish.backend == BackendChoice::Ptrace) return wish.backend;
  bool is_dear = !load.fits() || !load.is_quick();
  if (is_dear && wish.backend == BackendChoice::Auto && wish.instead == Instead::Breakpoints)
    return BackendChoice::Ptrace;
  if (is_permitted(load, wish)) return wish.backend;
  return fail({0, "kassist", uprobes_text(load),
               "they would make each exec on this machine about " + grouped(load.percent()) + " % slower",
               advice_on(load, wish)});
}

std::optional<std::string> cost_of(const UprobeLoad& load) {
  std::string cost;
  if (!load.fits())
    cost = uprobes_text(load) + " make each exec on this machine about " + grouped(load.percent()) + " % slower";
  if (uint64_t takes_ns = load.takes_ns; takes_ns >= kSecond_ns)
    cost += (cost.empty() ? "the " : ", and the ") + grouped(load.armed) + " uprobes of all processes take about " +
            std::to_string((takes_ns + kSecond_ns / 2) / kSecond_ns) + " s to arm and as long to disarm";
  if (cost.empty()) return std::nullopt;
  return "kassist: " + cost + "; --backend=ptrace does without them";
}

std::string load_text(const UprobeLoad& load) {
  return uprobes_text(load) + ": each exec on this machine would take about " + grouped(load.percent()) + " % longer";
}

bool UprobePermission::take(const UprobeDemand& more) {
  demands_.push_back(more);
  if (is_permitted(load_on_others(demands_, targets_), wish_)) return true;
  demands_.pop_back();
  return false;
}

}  // namespace strut
