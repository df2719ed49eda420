#include "kassist/syscalls/blocked_threads.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "kassist/loader/frozen_constants.hpp"
#include "kassist/loader/object_loader.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/wire/thread_wire.h"
#include "kassist/wire/wire.h"

namespace strut {

namespace {

BlockedThread thread_of(const wire_thread& seen) {
  BlockedThread thread;
  std::ranges::copy(seen.registers.numbered, thread.registers.begin());
  thread.abi = static_cast<Abi>(seen.abi);
  thread.nr = static_cast<int32_t>(seen.nr);
  if (thread.abi == Abi::X32) thread.nr &= ~kX32Bit;
  thread.stopped = seen.stopped_by;
  thread.switches = seen.switches;
  return thread;
}

class ByProgram final : public BlockedThreads {
 public:
  explicit ByProgram(OwnedFd link) : link_(std::move(link)) {}

  Result<std::map<Tid, BlockedThread>> read() override {
    OwnedFd file(bpf_iter_create(link_.number()));
    if (!file) return fail(refused("bpf(BPF_ITER_CREATE)", -file.number()));
    std::map<Tid, BlockedThread> threads;
    std::array<wire_thread, 256> some;
    for (;;) {
      ssize_t got = ::read(file.number(), some.data(), sizeof some);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) return fail(refused("read the threads that do not run", errno));
      if (got == 0) return threads;
      for (const wire_thread& seen : std::span(some).first(static_cast<size_t>(got) / sizeof(wire_thread)))
        threads.emplace(Tid{static_cast<int32_t>(seen.tid)}, thread_of(seen));
    }
  }

 private:
  OwnedFd link_;
};

/// Closes the object: loaded programs stay with their descriptors.
struct CloseObject {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};

Result<OwnedFd> load_program(Pid pid) {
  ObjectLoader loader = TRY(ObjectLoader::open(Edition::Threads));
  std::unique_ptr<bpf_object, CloseObject> object(loader.object());
  TRY_VOID(FrozenConstants(object.get()).set("wanted_process", raw(pid)).set("caller", restriction()).finish());
  KernelTypes types = TRY(running_kernel_types(loader.types_wanted()));
  LoadingPrograms loading = TRY(loader.load(types));
  return loading.programs.at(0).loaded();
}

}  // namespace

Result<std::unique_ptr<BlockedThreads>> blocked_threads_of(Pid pid) {
  if (auto obstacle = kassist_obstacle()) return std::unexpected(*obstacle);
  if (restriction().is_restricted) return fail({EPERM, "kassist", "registers of threads", "need root", {}});
  OwnedFd program = TRY(load_program(pid));
  OwnedFd link(bpf_link_create(program.number(), 0, BPF_TRACE_ITER, nullptr));
  if (!link) return fail(refused("attach BPF program threads", -link.number()));
  return std::make_unique<ByProgram>(std::move(link));
}

}  // namespace strut
