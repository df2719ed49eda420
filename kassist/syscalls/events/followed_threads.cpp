#include "kassist/syscalls/events/followed_threads.hpp"

#include <utility>

#include "procfs/process_status.hpp"

namespace strut {

FollowedThread* FollowedThreads::find(Tid tid) {
  if (recent_ && recent_->tid == tid) return recent_;
  auto at = threads_.find(raw(tid));
  return at == threads_.end() ? nullptr : recent_ = at->second.get();
}

FollowedThread& FollowedThreads::add(Tid tid, Pid pid) {
  if (FollowedThread* former = find(tid)) forget(*former);
  FollowedProcess& process = processes_[raw(pid)];
  process.threads++;
  if (added_++ == 0) first_ = tid;
  auto& fresh = threads_[raw(tid)];
  fresh = std::make_unique<FollowedThread>(tid, pid, process, request_.decode, sockets_);
  return *(recent_ = fresh.get());
}

FollowedThread& FollowedThreads::meet(Tid tid, Pid pid, std::string comm) {
  bool new_process = !processes_.contains(raw(pid));
  FollowedThread& thread = add(tid, pid);
  if (unwinder_ && new_process) unwinder_->reported_from_now_on(pid);
  if (request_.need_comm) thread.comm = comm.empty() ? comm_of(raw(tid)).value_or("") : std::move(comm);
  return thread;
}

std::unique_ptr<FollowedThread> FollowedThreads::replace_leader(Tid leader, Tid former) {
  std::unique_ptr<FollowedThread> superseded;
  if (FollowedThread* known = find(leader)) {
    if (!known->ended) known->process->threads--;
    superseded = std::move(threads_.extract(raw(leader)).mapped());
  }
  auto node = threads_.extract(raw(former));
  node.key() = raw(leader);
  recent_ = node.mapped().get();
  recent_->tid = recent_->call.tid = leader;
  recent_->around.move_to(leader);
  recent_->process->has_heir = false;
  threads_.insert(std::move(node));
  return superseded;
}

void FollowedThreads::forget(FollowedThread& thread) {
  FollowedProcess& process = *thread.process;
  Pid pid = thread.pid;
  if (!thread.ended) process.threads--;
  if (recent_ == &thread) recent_ = nullptr;
  late_ += thread.late();
  threads_.erase(raw(thread.tid));
  bool leader_waits = threads_.contains(raw(leader_of(pid)));
  if (process.threads > 0 || leader_waits) return;
  processes_.erase(raw(pid));
  if (unwinder_) unwinder_->gone(pid);
}

std::vector<FollowedId> FollowedThreads::ids() const {
  std::vector<FollowedId> ids;
  for (const auto& [tid, thread] : threads_) ids.push_back({thread->tid, thread->pid});
  return ids;
}

uint64_t FollowedThreads::late() const {
  uint64_t late = late_;
  for (const auto& [tid, thread] : threads_) late += thread->late();
  return late;
}

}  // namespace strut
