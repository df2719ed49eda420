#include "kassist/dtrace/presence.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include <sys/uio.h>

#include "procfs/maps.hpp"

namespace strut {
namespace {

constexpr uint64_t kPage_bytes = 4096;
constexpr size_t kMaxPages = (16 << 20) / kPage_bytes;
constexpr size_t kAtOnce = 1024;  // IOV_MAX

/// Programs and libraries only: other mappings may be large, and on a disk.
std::vector<uint64_t> pages_of_modules(Pid pid) {
  std::vector<uint64_t> pages;
  auto mappings = maps_of(pid);
  if (!mappings) return pages;
  auto file_of = [](const Mapping& one) { return std::tuple(one.device_major, one.device_minor, one.inode); };
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> modules;
  for (const Mapping& mapping : *mappings)
    if (mapping.executable && mapping.inode != 0) modules.insert(file_of(mapping));
  for (const Mapping& mapping : *mappings) {
    if (!mapping.readable || mapping.shared || !modules.contains(file_of(mapping))) continue;
    for (uint64_t at = raw(mapping.start); at < raw(mapping.end); at += kPage_bytes) {
      if (pages.size() == kMaxPages) return pages;
      pages.push_back(at);
    }
  }
  return pages;
}

/// How many of these pages were read, up to the first that cannot be (a file that has become shorter).
size_t read_byte_of_each(Pid pid, std::span<const uint64_t> pages) {
  char bytes[kAtOnce];
  iovec from[kAtOnce];
  for (size_t i = 0; i < pages.size(); i++) from[i] = {reinterpret_cast<void*>(pages[i]), 1};
  iovec into{bytes, pages.size()};
  ssize_t got = ::process_vm_readv(raw(pid), &into, 1, from, pages.size(), 0);
  return static_cast<size_t>(std::max<ssize_t>(got, 0));
}

}  // namespace

bool reads_memory(const DProgram& program) {
  return std::ranges::any_of(program.code, [](const DInstruction& i) {
    switch (i.op) {
      case DOp::CopyIn:
      case DOp::CopyInTo:
      case DOp::CopyInPart:
      case DOp::CopyInText:
      case DOp::TypedArgumentText: return true;
      default: return false;
    }
  });
}

void bring_in_modules(Pid pid) {
  std::vector<uint64_t> pages = pages_of_modules(pid);
  for (std::span<const uint64_t> rest = pages; !rest.empty();) {
    auto some = rest.first(std::min(rest.size(), kAtOnce));
    size_t got = read_byte_of_each(pid, some);
    rest = rest.subspan(std::min(rest.size(), got == some.size() ? got : got + 1));
  }
}

}  // namespace strut
