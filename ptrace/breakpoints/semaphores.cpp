#include "ptrace/breakpoints/semaphores.hpp"

#include <algorithm>
#include <optional>

#include "procfs/maps.hpp"
#include "ptrace/breakpoints/address_space.hpp"

namespace strut {
namespace {

std::optional<uint16_t> counter_at(const AddressSpace& memory, uint64_t address) {
  uint16_t counter = 0;
  auto bytes = std::as_writable_bytes(std::span(&counter, 1));
  return memory.read_raw(address, bytes) == bytes.size() ? std::optional(counter) : std::nullopt;
}

bool set_counter(const AddressSpace& memory, uint64_t address, int value) {
  auto counter = static_cast<uint16_t>(value);
  return memory.write_raw(address, std::as_bytes(std::span(&counter, 1)));
}

void lower(const AddressSpace& memory, uint64_t address, uint16_t before) {
  auto now = counter_at(memory, address);
  if (now && *now > before) set_counter(memory, address, *now - 1);
}

}  // namespace

/// Until then the linker's mapping of the whole file may be there, which is not to be written.
bool Semaphores::is_mapped(uint64_t semaphore) const {
  auto mappings = maps_of(pid_);
  return mappings && std::ranges::any_of(*mappings, [&](const Mapping& mapping) {
           return mapping.writable && semaphore >= raw(mapping.start) && semaphore < raw(mapping.end);
         });
}

bool Semaphores::raise(const AddressSpace& memory, BreakpointLedger::Image& ledger, uint64_t semaphore,
                       Held& held) const {
  auto now = counter_at(memory, semaphore);
  held.is_raised =
      now && *now != UINT16_MAX && ledger.add_semaphore(semaphore, *now) && set_counter(memory, semaphore, *now + 1);
  if (held.is_raised) held.before = *now;
  return held.is_raised;
}

bool Semaphores::hold(const AddressSpace& memory, BreakpointLedger::Image& ledger, uint64_t semaphore) {
  if (semaphore == 0) return true;
  Held& held = held_[semaphore];
  if (held.breakpoints++ != 0) return true;
  if (!is_mapped(semaphore)) return waiting_++, true;
  if (raise(memory, ledger, semaphore, held)) return true;
  held_.erase(semaphore);
  return false;
}

void Semaphores::raise_late(const AddressSpace& memory, BreakpointLedger::Image& ledger) {
  if (waiting_ == 0) return;
  for (auto& [semaphore, held] : held_)
    if (!held.is_raised && is_mapped(semaphore) && raise(memory, ledger, semaphore, held)) waiting_--;
}

void Semaphores::release(const AddressSpace& memory, uint64_t semaphore) {
  auto found = held_.find(semaphore);
  if (found == held_.end()) return;
  if (found->second.breakpoints == 1 && found->second.is_raised) lower(memory, semaphore, found->second.before);
  forget(semaphore);
}

void Semaphores::forget(uint64_t semaphore) {
  auto found = held_.find(semaphore);
  if (found == held_.end() || --found->second.breakpoints != 0) return;
  if (!found->second.is_raised) waiting_--;
  held_.erase(found);
}

void Semaphores::release_all(const AddressSpace& memory) {
  for (auto& [semaphore, held] : held_)
    if (held.is_raised) lower(memory, semaphore, held.before);
  held_.clear();
  waiting_ = 0;
}

void Semaphores::catch_up(const AddressSpace& child) const {
  for (auto& [semaphore, held] : held_) {
    auto now = counter_at(child, semaphore);
    if (held.is_raised && now && *now <= held.before) set_counter(child, semaphore, *now + 1);
  }
}

}  // namespace strut
