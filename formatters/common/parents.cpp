#include "formatters/common/parents.hpp"

namespace strut {

namespace {

bool ends_thread(const Event& event) {
  return std::holds_alternative<ExitedEvent>(event.what) || std::holds_alternative<KilledEvent>(event.what) ||
         std::holds_alternative<SupersededEvent>(event.what) || std::holds_alternative<RenamedEvent>(event.what);
}

}  // namespace

Pid Parents::process_of(Tid thread) const {
  if (auto found = processes_.find(raw(thread)); found != processes_.end()) return found->second;
  return parents_.contains(raw(thread)) ? Pid{raw(thread)} : Pid{};
}

Pid Parents::of_new(const Event& event) {
  const auto* attached = std::get_if<AttachedEvent>(&event.what);
  bool is_made = attached != nullptr && !attached->by_request;
  Pid maker = is_made ? process_of(attached->parent) : Pid{};
  return raw(maker) != 0 ? maker : parent_of_(event.thread.pid);
}

Pid Parents::of(const Event& event) {
  Pid pid = event.thread.pid;
  bool is_leader = event.thread.tid == leader_of(pid), ends = ends_thread(event);
  if (!is_leader && ends) processes_.erase(raw(event.thread.tid));
  else if (!is_leader) processes_[raw(event.thread.tid)] = pid;
  auto found = parents_.find(raw(pid));
  bool is_birth = is_leader && std::holds_alternative<AttachedEvent>(event.what);  // the number may have been another's
  if (found == parents_.end() || is_birth) found = parents_.insert_or_assign(raw(pid), of_new(event)).first;
  Pid parent = found->second;
  if (ends && is_leader && !std::holds_alternative<SupersededEvent>(event.what)) parents_.erase(found);
  return parent;
}

}  // namespace strut
