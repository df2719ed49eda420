#include "core/launch_watch.hpp"

namespace strut {

void launch_watched(HeldCommand& command, LaunchWatch* watch, const std::function<void()>& new_code) {
  bool seized = watch && watch->seize(command.pid());
  command.release();
  if (seized) watch->run(new_code);
}

}  // namespace strut
