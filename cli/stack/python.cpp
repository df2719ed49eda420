#include "cli/stack/python.hpp"

#include "procfs/process_status.hpp"

namespace strut {

namespace {

std::string unknown_version(const PythonRuntime& runtime) {
  return "CPython " + (runtime.version.empty() ? "older than 3.11" : runtime.version) +
         ": its frames are not shown; strut knows those of 64-bit CPython 3.11 to 3.13";
}

}  // namespace

PythonStacks::PythonStacks(Pid pid) : memory_(leader_of(pid)) {
  auto runtime = find_python(pid, memory_);
  if (!runtime) return;
  if (!runtime->layout) {
    unknown_ = unknown_version(*runtime);
    return;
  }
  threads_.emplace(*runtime, *runtime->layout);
  codes_.emplace(*runtime->layout);
  threads_->refresh(memory_);
}

void PythonStacks::before(Tid tid) {
  if (!threads_) return;
  int32_t id = own_tids_[tid] = own_tid(tid, process_status(tid));
  if (!threads_->knows(id)) threads_->refresh(memory_);
}

void PythonStacks::read(Tid tid, Memory& memory) {
  if (threads_) frames_[tid] = threads_->frames(own_tids_[tid], memory);
}

void PythonStacks::add_to(KeptStack& stack, Tid tid, size_t limit) {
  const Stack* native = stack.kept();
  if (!native || frames_[tid].empty()) return;
  KeptStack merged = with_python(*native, frames_[tid], *codes_, memory_, limit);
  stack = std::move(merged);
}

}  // namespace strut
