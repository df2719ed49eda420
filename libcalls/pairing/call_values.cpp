#include "libcalls/pairing/call_values.hpp"

#include <algorithm>

#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/pairing/known_values.hpp"

namespace strut {

void CallValues::decode_entry(const FunctionHit& hit, DecodeContext scene, OpenCall& open) {
  strut::decode_entry(open.call, hit.entry, scene, open.decoded);
  show_known(open);
}

void CallValues::decode_return(const FunctionHit& hit, DecodeContext scene, OpenCall& open) {
  // A child of fork(2): its own copy of the call has no values yet.
  if (open.call.call.desc == nullptr) strut::decode_entry(open.call, open.registers, scene, open.decoded);
  for (size_t i = 0; i < open.as_decoded.size(); i++) open.decoded.args[i].value = open.as_decoded[i];
  strut::decode_return(open.call, hit.returned, hit.error_number, scene, open.decoded);
  show_known(open);
}

bool CallValues::has_known_values(const FunctionDesc& desc) {
  auto [known, is_new] = knows_.try_emplace(&desc, false);
  if (is_new)
    known->second = strut::has_known_values(desc.result) || std::ranges::any_of(desc.args, [](const ArgType& arg) {
                      return strut::has_known_values(arg.type);
                    });
  return known->second;
}

// The decoder compares an argument's value at the return with the one that it made at the entry.
void CallValues::show_known(OpenCall& open) {
  open.as_decoded.clear();
  if (!has_known_values(*open.call.desc)) return;
  DecodedCall& decoded = open.decoded;
  size_t count = std::min(decoded.count, open.call.arguments.types.size());
  for (size_t i = 0; i < count; i++) {
    open.as_decoded.push_back(decoded.args[i].value);
    decoded.args[i].value = as_known(open.call.arguments.types[i].type, decoded.args[i].value, decoded.arena);
  }
  if (open.call.call.returned) decoded.result = as_known(open.call.desc->result, decoded.result, decoded.arena);
}

}  // namespace strut
