#include "cli/uprobe_permission.hpp"

#include <string>

#include "cli/numbers.hpp"

namespace strut {
namespace {

bool is_permitted(const UprobeLoad& load, const UprobeWish& wish) {
  if (load.fits()) return true;
  if (wish.permitted_by == PermittedBy::Backend) return wish.backend == BackendChoice::Kassist;
  return wish.number && load.uprobes <= *wish.number;
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
  if (wish.backend == BackendChoice::Ptrace || load.fits()) return wish.backend;
  if (wish.backend == BackendChoice::Auto && wish.instead == Instead::Breakpoints) return BackendChoice::Ptrace;
  if (is_permitted(load, wish)) return wish.backend;
  return fail({0, "kassist", grouped(load.uprobes) + " uprobes in files that other processes map",
               "they would make each exec on this machine about " + grouped(load.percent()) + " % slower",
               advice_on(load, wish)});
}

bool UprobePermission::take(const UprobeDemand& more) {
  demands_.push_back(more);
  if (is_permitted(load_on_others(demands_, targets_), wish_)) return true;
  demands_.pop_back();
  return false;
}

}  // namespace strut
