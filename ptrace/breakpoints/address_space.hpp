// The memory of a process, or of several that share it, and the breakpoints in its code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/memory.hpp"
#include "base/owned_fd.hpp"
#include "ptrace/breakpoints/semaphores.hpp"
#include "ptrace/breakpoints/slots.hpp"
#include "ptrace/guardian/breakpoint_ledger.hpp"
#include "trace/probe_host.hpp"
#include "x86/displaced.hpp"

namespace strut {

/// One int3 (SDM, volume 2: 0xcc), shared by all that is asked for at its address.
struct Breakpoint {
  uint64_t tag = 0;
  std::byte original{};                        ///< the replaced byte
  std::shared_ptr<const Displaced> displaced;  ///< nullptr: not hit yet
  uint64_t slot = 0;                           ///< where its instruction is run; 0: nowhere yet
  size_t batch = 0;                            ///< those of one insert()
  uint64_t semaphore = 0;                      ///< raised for it; 0: none
};

/// Reads the target's memory as the target would: at breakpoints the original bytes.
class AddressSpace final : public Memory {
 public:
  /// Opens /proc/TID/mem of a stopped thread. Once its process has exec'd another program the memory belongs to no
  /// process.
  AddressSpace(Pid pid, Tid tid);
  /// For a child's copy of the memory, with all its breakpoints.
  AddressSpace(Tid child, const AddressSpace& parent);

  /// One at a time or many: pages are read and written as a whole. Returns the indexes of those that could not be
  /// inserted: the address is not mapped, or has another tracer's breakpoint.
  std::vector<size_t> insert(std::span<const HostBreakpoint> breakpoints);
  void remove(std::span<const Addr> addresses);
  /// The breakpoints are gone already, with their memory.
  void forget(std::span<const Addr> addresses);
  /// Removes all breakpoints: no thread is stopped from now on.
  void remove_all();
  size_t size() const { return breakpoints_.size(); }
  /// Raises the semaphores that were not mapped when their breakpoints were inserted.
  void raise_late() { semaphores_.raise_late(*this, *ledger_.image()); }

  /// nullptr: there is none.
  Breakpoint* at(uint64_t address) {
    auto found = breakpoints_.find(address);
    return found == breakpoints_.end() ? nullptr : &found->second;
  }
  /// Whether a trap at this address comes from a breakpoint that has been removed since: nothing traps there any more.
  bool was_removed(uint64_t address) const;

  Slots& slots() { return slots_; }
  /// TrapGuardData::is_restored of the TrapGuard that has been put there.
  void note_restored_mark(uint64_t address) { ledger_.image()->note_mark(address); }
  /// Where that starts, for other processes that run in this memory. 0: there is none.
  uint64_t guard_area() const { return guard_area_; }
  void note_guard_area(uint64_t area) { guard_area_ = area; }

  /// More than one process runs in it, or did.
  void note_shared() { was_shared_ = true; }
  bool was_shared() const { return was_shared_; }
  /// Whether any process runs in it still.
  bool is_used() const;

  ReadOutcome read(Addr at, std::span<std::byte> out) override;
  ReadOutcome read_string(Addr at, std::span<char> out) override;
  /// Over read-only pages too; breakpoints stay. False: some of it is not there.
  bool write(Addr at, std::span<const std::byte> bytes);
  /// As it is, breakpoints and all.
  size_t read_raw(uint64_t at, std::span<std::byte> out) const;
  bool write_raw(uint64_t at, std::span<const std::byte> bytes) const;

 private:
  struct Change {
    uint64_t at = 0;
    std::byte value{};
  };
  uint64_t insert_into_page(std::span<const HostBreakpoint> wanted, std::span<const size_t> order,
                            std::vector<size_t>& failed);
  bool enter(const HostBreakpoint& wanted, std::byte original);
  /// False: its semaphore cannot be raised, without which the program skips the probe.
  bool raise_for(const HostBreakpoint& wanted) {
    Breakpoint* known = at(raw(wanted.at));
    return (known && known->semaphore != 0) || semaphores_.hold(*this, *ledger_.image(), raw(wanted.semaphore));
  }
  void erase(uint64_t address);
  void note(uint64_t address, int change);
  void copy_slots(const AddressSpace& parent, const Slots::Part& part);
  bool has(uint64_t address) const;
  void catch_up();
  void put_back(std::vector<Change>& changes) const;
  void note_removed(std::span<const Change> changes);
  void forget_removed(std::span<const HostBreakpoint> inserted);
  template <typename Visit>
  void for_each_in(uint64_t at, size_t bytes, Visit visit);

  OwnedFd memory_;
  BreakpointLedger::Space ledger_;
  uint64_t guard_area_ = 0;
  std::unordered_map<uint64_t, Breakpoint> breakpoints_;
  std::unordered_map<uint64_t, uint32_t> pages_;  ///< how many breakpoints a page has
  std::vector<Change> removed_;                   ///< with the replaced bytes, ascending; none is in breakpoints_
  std::vector<uint64_t> batch_ends_;              ///< the last address of each that was written to
  Slots slots_;
  Semaphores semaphores_;
  bool was_shared_ = false;
};

}  // namespace strut
