#include "core/call.hpp"

namespace strut {

void DecodedCall::reset() {
  arena.reset();
  if (!fd_targets.empty()) fd_targets.clear();
  count = 0;
  ready = 0;
  complete = false;
  result = {};
  aux = {};
  dumps = {};
  unseen = 0;
}

}  // namespace strut
