#include "core/launch_watch.hpp"

namespace strut {

void launch_watched(HeldCommand& command, LaunchWatch* watch, const std::function<void()>& new_code) {
  bool seized = watch && watch->seize(command.pid());
  command.release();
  if (!seized) return;
  watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Moment moment) {
    if (moment == LaunchWatch::Moment::NewCode) new_code();
  });
}

}  // namespace strut
