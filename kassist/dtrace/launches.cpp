#include "kassist/dtrace/launches.hpp"

#include <algorithm>

#include "process/interruption.hpp"

namespace strut {

Result<void> DLaunches::add(std::unique_ptr<LaunchWatch> watch, HeldCommand command, LaunchWatch::Until until,
                            DNewsWait& wait) {
  Pid pid = command.pid();
  auto thread = TRY(LaunchThread::start(std::move(watch), std::move(command), until));
  TRY_VOID(wait.listen_to(thread->news()));
  launched_.push_back({pid, std::move(thread)});
  return {};
}

void DLaunches::wait_for_start(const AtStep& at_step) {
  while (Interruption::caught() == 0 && !look_at(launched_.back(), LaunchThread::Look::Wait, at_step)) {
  }
}

/// True: its program runs, or it is not watched any more.
bool DLaunches::look_at(Launched& launched, LaunchThread::Look look, const AtStep& at_step) {
  switch (launched.thread->next(look)) {
    case LaunchThread::Seen::Nothing: return false;
    case LaunchThread::Seen::Over: launched.is_over = true; return true;
    case LaunchThread::Seen::NewCode:
      at_step(launched.pid, Step::NewCode);
      launched.thread->answer();
      return false;
    case LaunchThread::Seen::Started:
      at_step(launched.pid, Step::Started);
      launched.thread->answer();
      return true;
  }
  return false;
}

void DLaunches::look(const AtStep& at_step) {
  for (Launched& launched : launched_) look_at(launched, LaunchThread::Look::AtOnce, at_step);
  std::erase_if(launched_, [](const Launched& launched) { return launched.is_over; });
}

void DLaunches::hold(Tid asker, const AtStep& at_step) {
  auto launched = std::ranges::find(launched_, raw(asker), [](const Launched& one) { return raw(one.pid); });
  if (launched == launched_.end()) return;
  launched->thread->hold();
  look_at(*launched, LaunchThread::Look::AtOnce, at_step);
}

}  // namespace strut
