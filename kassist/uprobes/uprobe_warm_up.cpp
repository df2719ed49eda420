#include "kassist/uprobes/uprobe_warm_up.hpp"

#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "kassist/loader/file_size_limit.hpp"
#include "kassist/loader/without_signals.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut {
namespace {

constexpr useconds_t kWarmUpAgain_us = 4000;  // shorter than the grace period after which it would be cold
constexpr int kMost = 25;
constexpr size_t kPage = 4096;

}  // namespace

UprobeWarmUp::UprobeWarmUp() : thread_(without_signals([this] { work(); })) {}

UprobeWarmUp::~UprobeWarmUp() {
  stop();
  thread_.join();
}

void UprobeWarmUp::work() {
  OwnedFd program = empty_uprobe_program(UprobeMechanism::Multi), file(::memfd_create("warm_up", MFD_CLOEXEC));
  if (FileSizeLimitRaised limit; !program || !file || ::ftruncate(file.number(), kPage) != 0) return;
  UprobeRequest request{"/proc/self/fd/" + std::to_string(file.number()), {{0, 0}}, UprobeRequest::When::Executed, {}};
  Uprobes uprobes;
  for (int i = 0; i < kMost && !over_; i++) {
    if (!uprobes.arm(program.number(), UprobeMechanism::Multi, request)) return;
    ::usleep(kWarmUpAgain_us);
  }
}

}  // namespace strut
