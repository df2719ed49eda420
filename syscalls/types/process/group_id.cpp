#include "syscalls/types/process/group_id.hpp"

#include "syscalls/decoder.hpp"

namespace strut {

Value decode_group_id(Decoder& decoder, uint64_t id, size_t) {
  Value value = decoder.process_id(static_cast<int32_t>(id));
  std::get<ProcessId>(value.is).comm = {};
  return value;
}

}  // namespace strut
