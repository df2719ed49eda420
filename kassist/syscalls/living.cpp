#include "kassist/syscalls/living.hpp"

namespace strut {

void Living::take(const wire_record& record) {
  auto tid = static_cast<int32_t>(record.tid);
  switch (record.kind) {
    case WIRE_THREAD_EXIT:
    case WIRE_LAST_THREAD: threads_.erase(tid); return;
    case WIRE_GENERATED: return;  // about the sending process
    case WIRE_NUDGE: return;
    case WIRE_LATE: return;  // it may end
    case WIRE_FORK: threads_.insert(static_cast<int32_t>(record.birth.thread)); break;
    case WIRE_EXEC:
      threads_.erase(static_cast<int32_t>(record.program.former_thread));
      break;  // the thread that called it has a new id
    default: break;
  }
  threads_.insert(tid);
}

}  // namespace strut
