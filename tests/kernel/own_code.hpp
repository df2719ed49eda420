// Probes on functions of this program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include <unistd.h>

#include "kassist/dtrace/program.hpp"
#include "kassist/transport/ring_reader.hpp"

namespace strut::test {

/// Where in this program's file code lies.
inline uint64_t file_offset_of(const void* code) {
  auto address = reinterpret_cast<uint64_t>(code);
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  unsigned long start, end, offset;
  char rest[512];
  uint64_t found = 0;
  while (std::fscanf(maps, "%lx-%lx %*s %lx%[^\n]\n", &start, &end, &offset, rest) == 4)
    if (address >= start && address < end) found = address - start + offset;
  std::fclose(maps);
  return found;
}

/// One site in this program's code.
inline DCode site_at(const void* code, std::vector<DFiring> firings) {
  DCode own;
  own.path = "/proc/self/exe";
  own.sites.push_back({.file_offset = file_offset_of(code),
                       .uprobe_offset = file_offset_of(code),
                       .first = 0,
                       .count = static_cast<uint32_t>(firings.size())});
  own.firings = std::move(firings);
  return own;
}

/// Arms it with the program's uprobe hook.
inline Result<Uprobes> armed(DKernelProgram& kernel, const DCode& code, UprobeMechanism mechanism) {
  auto cookies = TRY(kernel.add_code(code));
  std::optional<int> program = TRY(kernel.program(DHook::Uprobe));
  UprobeRequest request{.path = code.path, .points = {}, .when = UprobeRequest::When::Executed, .pid = Pid{::getpid()}};
  for (size_t i = 0; i < code.sites.size(); i++) request.points.push_back({*code.sites[i].uprobe_offset, cookies[i]});
  Uprobes probes;
  TRY(probes.arm(*program, mechanism, request));
  return probes;
}

/// Calls `each` with every record that is in the ring, and its items.
template <typename Each>
void drain(RingReader& ring, Each each) {
  for (;;) {
    std::span<const std::byte> bytes = ring.peek(1 << 20), rest = bytes;
    if (bytes.empty()) return;
    while (!rest.empty()) {
      uint32_t length;
      std::memcpy(&length, rest.data(), sizeof length);
      d_record record;
      std::memcpy(&record, rest.data() + 8, sizeof record);
      each(record, rest.subspan(8 + sizeof record, length - sizeof record));
      rest = rest.subspan((8 + length + 7) & ~size_t{7});
    }
    ring.release(bytes.size());
  }
}

}  // namespace strut::test
