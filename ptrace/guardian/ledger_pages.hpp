// How the ledger of breakpoints lies in memory: written by the tracer, read by the guardian in the tracer's memory.
//
// Pointers are addresses in the tracer. Whatever is reachable from the root is complete at every instant: a new part is
// written first and linked then.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <sys/types.h>

#include "ptrace/guardian/shared_pool.hpp"

namespace strut {

/// Addresses of x86-64 user space have 47 bits (57 with la57, which programs must ask for): the byte fits above them.
constexpr uint64_t pack_site(uint64_t address, uint8_t original) { return address | uint64_t{original} << 56; }
constexpr uint64_t site_address(uint64_t packed) { return packed & ((uint64_t{1} << 56) - 1); }
constexpr uint8_t site_original(uint64_t packed) { return static_cast<uint8_t>(packed >> 56); }

struct LedgerSitePage {
  static constexpr size_t kSites = SharedPool::kPageBytes / 8 - 2;
  const LedgerSitePage* older;
  std::atomic<uint64_t> count;
  std::array<uint64_t, kSites> sites;
};
static_assert(sizeof(LedgerSitePage) == SharedPool::kPageBytes);

struct LedgerImage {
  std::atomic<const LedgerSitePage*> newest;
  std::atomic<const LedgerSitePage*> semaphores;  ///< sites with the counter's value before, at most 255
  std::atomic<uint64_t> mark;  ///< an address in the target: BreakpointLedger::Image::note_mark. 0: none
};

struct LedgerSpace {
  std::atomic<const LedgerImage*> image;  ///< nullptr: the entry is free
  int32_t pid;
  int32_t memory;  ///< the tracer's descriptor of /proc/PID/mem
};

struct LedgerSpacePage {
  static constexpr size_t kSpaces = SharedPool::kPageBytes / sizeof(LedgerSpace);
  std::array<LedgerSpace, kSpaces> spaces;
};

struct LedgerRoot {
  static constexpr size_t kPages = SharedPool::kPageBytes / 8 - 1;
  std::atomic<uint64_t> count;
  std::array<const LedgerSpacePage*, kPages> pages;
};
static_assert(sizeof(LedgerRoot) == SharedPool::kPageBytes);

}  // namespace strut
