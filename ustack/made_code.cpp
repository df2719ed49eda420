#include "ustack/made_code.hpp"

#include "core/clock.hpp"

namespace strut {

namespace {

constexpr uint64_t kReadAgain_ns = 100'000'000;

}  // namespace

std::optional<JitSymbols::Found> MadeCode::at(Pid pid, Addr address, KeptNames& names) {
  auto found = symbols_.at(address);
  uint64_t time = monotonic_ns();
  if (!found && (read_ns_ == 0 || time - read_ns_ >= kReadAgain_ns)) {
    read_ns_ = time;
    if (auto mappings = maps_of(pid)) symbols_ = read_jit_symbols(pid, *mappings);
    found = symbols_.at(address);
  }
  if (found) found->name = names.keep(found->name);
  return found;
}

}  // namespace strut
