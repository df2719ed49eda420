#include "cli/common/arming_progress.hpp"

#include "cli/common/numbers.hpp"

namespace strut {
namespace {

constexpr uint64_t kFirst_ns = 1'000'000'000;
constexpr uint64_t kEvery_ns = 200'000'000;
constexpr const char* kEraseLine = "\r\033[K";  // ECMA-48, EL

}  // namespace

std::optional<std::string> ArmingProgress::at(uint64_t now_ns, uint64_t done, uint64_t wanted) {
  if (began_ns_ == 0) {
    began_ns_ = now_ns;
    next_ns_ = now_ns + kFirst_ns;
  }
  if (now_ns < next_ns_) return std::nullopt;
  next_ns_ = now_ns + kEvery_ns;
  is_shown_ = true;
  return std::string(kEraseLine) + "arming " + grouped(done) + " of " + grouped(wanted) + " probes";
}

std::optional<std::string> ArmingProgress::over() {
  bool was_shown = is_shown_;
  *this = {};
  return was_shown ? std::optional<std::string>(kEraseLine) : std::nullopt;
}

}  // namespace strut
