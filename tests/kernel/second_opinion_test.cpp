// Stacks that kassist captured: libunwind sees the same frames in the same captures.
#include <memory>
#include <string>
#include <vector>

#include <csignal>

#include <doctest/doctest.h>

#include "kassist/syscalls/kassist_backend.hpp"
#include "procfs/remote_memory.hpp"
#include "tests/unit/ustack/second_unwinder.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut::test {
namespace {

constexpr size_t kMaxWalks = 10'000;

/// Compares the walks of one process, and ends it by a signal after `enough` of them, or when libunwind fails too
/// often: it finds code by /proc.
class Comparing final : public Unwinder {
 public:
  explicit Comparing(size_t enough) : own_(make_cfi_unwinder(FrameDetail::Functions)), enough_(enough) {}

  const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) override {
    const Stack& ours = own_->unwind(pid, registers, memory, limit);
    if (compared == enough_ || walks_ == kMaxWalks) return ours;
    RemoteMemory live(leader_of(pid));
    StackAndFiles all(memory, registers[user_register::kStackPointer], live);
    if (!second_) second_ = std::make_unique<SecondUnwinder>(pid);
    auto theirs = second_->unwind(registers, all, limit);
    walks_++;
    if (theirs.is_whole) {
      CHECK(pcs_of(ours) == theirs.pcs);
      compared++;
    }
    if (compared == enough_ || walks_ == kMaxWalks) ::kill(raw(pid), SIGKILL);
    return ours;
  }
  void modules_changed(Pid pid) override { own_->modules_changed(pid); }
  void gone(Pid pid) override { own_->gone(pid); }
  void nothing_mapped(Pid pid) override { own_->nothing_mapped(pid); }
  void reported_from_now_on(Pid pid) override { own_->reported_from_now_on(pid); }
  void vdso_mapped(Pid pid, Addr at) override { own_->vdso_mapped(pid, at); }
  void mapped(Pid pid, const Mapping& mapping) override { own_->mapped(pid, mapping); }
  void forked(Pid parent, Pid child) override { own_->forked(parent, child); }

  size_t compared = 0;

 private:
  std::unique_ptr<Unwinder> own_;
  std::unique_ptr<SecondUnwinder> second_;
  size_t enough_, walks_ = 0;
};

struct NoOutput final : Sink {
  Result<void> take(const Event&) override { return {}; }
  Result<void> flush() override { return {}; }
  Result<void> finish() override { return {}; }
};

struct SecondOpinionSilent final : Listener {
  void say(std::string_view) override {}
};

TEST_CASE("second opinion: libunwind sees the same frames in captured stacks") {
  constexpr size_t kEnough = 300;
  constexpr const char* kScript = R"(
import os, json, decimal
def f(n):
  os.getppid()
  if n: f(n - 1)
while True: list(map(f, range(9)))
)";
  const std::vector<std::string> python = {"/usr/bin/python3", "-c", kScript};
  const std::vector<std::string> shell = {"/bin/sh", "-c", "f() { cd /; cd /usr; }; while :; do f; done"};
  for (const std::vector<std::string>& words : {python, shell}) {
    CAPTURE(words[0]);
    auto comparing = std::make_unique<Comparing>(kEnough);
    Comparing& compared = *comparing;
    auto backend = make_kassist_backend({}, std::move(comparing));
    TraceRequest request;
    request.launch = Launch{.path = words[0], .argv = words, .environment = {}, .user = {}};
    request.stack_frames = 512;
    NoOutput sink;
    SecondOpinionSilent silent;
    auto outcome = backend->run(request, sink, silent);
    REQUIRE_MESSAGE(outcome, describe(outcome.error()));
    CHECK(compared.compared == kEnough);
  }
}

}  // namespace
}  // namespace strut::test
