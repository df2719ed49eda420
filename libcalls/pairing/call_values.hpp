// Arguments and results of library calls as values, with those that people know in place of their bytes.
#pragma once

#include <unordered_map>

#include "libcalls/pairing/call_threads.hpp"

namespace strut {

class CallValues {
 public:
  void decode_entry(const FunctionHit& hit, DecodeContext scene, OpenCall& open);
  void decode_return(const FunctionHit& hit, DecodeContext scene, OpenCall& open);

 private:
  bool has_known_values(const FunctionDesc& desc);
  void show_known(OpenCall& open);

  std::unordered_map<const FunctionDesc*, bool> knows_;  ///< has_known_values()
};

}  // namespace strut
