#include "ptrace/breakpoints/address_space.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"

namespace strut {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr std::byte kInt3{0xcc};
/// First bite of a string: nearly every one is shorter.
constexpr size_t kFirstBiteBytes = 256;

using Page = std::array<std::byte, kPageBytes>;

}  // namespace

AddressSpace::AddressSpace(Pid pid, Tid tid)
    : memory_(::open(proc_path(raw(tid), "mem"), O_RDWR | O_CLOEXEC)),
      ledger_(std::make_shared<BreakpointLedger::Image>(BreakpointLedger::of_this_process()), pid, memory_.number()),
      semaphores_(pid) {}

AddressSpace::AddressSpace(Tid child, const AddressSpace& parent)
    : memory_(::open(proc_path(raw(child), "mem"), O_RDWR | O_CLOEXEC)),
      ledger_(parent.ledger_.image(), Pid{raw(child)}, memory_.number()),
      guard_area_(parent.guard_area_),
      breakpoints_(parent.breakpoints_),
      pages_(parent.pages_),
      removed_(parent.removed_),
      batch_ends_(parent.batch_ends_),
      slots_(parent.slots_),
      semaphores_(Pid{raw(child)}, parent.semaphores_) {
  // Removed from the parent after the child was made: it still has them.
  std::vector<Change> late = removed_;
  put_back(late);
  semaphores_.catch_up(*this);
  catch_up();
  for (const Slots::Part& part : slots_.parts()) copy_slots(parent, part);
}

bool AddressSpace::has(uint64_t address) const {
  std::byte now{};
  return read_raw(address, {&now, 1}) == 1 && now == kInt3;
}

/// Breakpoints may have been inserted into the parent between the child's copy of the memory and now: an attached
/// process may be about to make a process, and so may a thread while another thread's call has code armed. Batches are
/// written in the order of addresses, one after another, so one look at the last place shows that none is missing.
void AddressSpace::catch_up() {
  size_t first = batch_ends_.size();
  for (size_t batch = first; batch-- > 0;) {
    if (!breakpoints_.contains(batch_ends_[batch])) continue;
    if (has(batch_ends_[batch])) break;
    first = batch;
  }
  if (first == batch_ends_.size()) return;
  std::vector<HostBreakpoint> lacking;
  for (auto& [address, breakpoint] : breakpoints_)
    if (breakpoint.batch >= first) lacking.push_back({Addr{address}, breakpoint.tag, {}});
  insert(lacking);
}

/// Another thread of the parent may have got slots between the child's copy of the memory and now: the child would run
/// into memory that it does not have.
void AddressSpace::copy_slots(const AddressSpace& parent, const Slots::Part& part) {
  std::vector<std::byte> theirs(part.bytes), ours(part.bytes);
  bool is_there = parent.read_raw(part.start, theirs) == part.bytes && read_raw(part.start, ours) == part.bytes;
  if (is_there && (theirs == ours || write_raw(part.start, theirs))) return;
  slots_.drop_area(part.start);
  for (auto& [address, breakpoint] : breakpoints_)
    if (breakpoint.slot - part.start < kSlotAreaBytes) breakpoint.slot = 0;
}

/// The kernel refuses to read unmapped memory, but from the memory of an exited process it reads 0 bytes.
bool AddressSpace::is_used() const {
  std::byte byte{};
  return ::pread(memory_.number(), &byte, 1, 0) != 0;
}

size_t AddressSpace::read_raw(uint64_t at, std::span<std::byte> out) const {
  if (at > INT64_MAX || out.empty()) return 0;
  ssize_t got = ::pread(memory_.number(), out.data(), out.size(), static_cast<off_t>(at));
  return got > 0 ? static_cast<size_t>(got) : 0;
}

bool AddressSpace::write_raw(uint64_t at, std::span<const std::byte> bytes) const {
  if (at > INT64_MAX) return false;
  return ::pwrite(memory_.number(), bytes.data(), bytes.size(), static_cast<off_t>(at)) ==
         static_cast<ssize_t>(bytes.size());
}

void AddressSpace::note(uint64_t address, int change) {
  auto page = pages_.try_emplace(address / kPageBytes, 0).first;
  page->second += static_cast<uint32_t>(change);
  if (page->second == 0) pages_.erase(page);
}

std::vector<size_t> AddressSpace::insert(std::span<const HostBreakpoint> wanted) {
  std::vector<size_t> order(wanted.size()), failed;
  std::iota(order.begin(), order.end(), 0);
  auto address = [&](size_t i) { return raw(wanted[i].at); };
  if (!std::ranges::is_sorted(order, {}, address)) std::ranges::sort(order, {}, address);
  breakpoints_.reserve(breakpoints_.size() + wanted.size());
  uint64_t last = 0;
  for (std::span<const size_t> rest(order); !rest.empty();) {
    uint64_t page = address(rest.front()) / kPageBytes;
    auto end = std::ranges::find_if(rest, [&](size_t i) { return address(i) / kPageBytes != page; });
    auto here = rest.first(static_cast<size_t>(end - rest.begin()));
    last = std::max(last, insert_into_page(wanted, here, failed));
    rest = rest.subspan(here.size());
  }
  if (last != 0) batch_ends_.push_back(last);
  forget_removed(wanted);
  return failed;
}

/// Writes the bytes from the first to the last breakpoint at once: the bytes between are written as they were read,
/// which only self-modifying code could notice. Returns the last address that got one; 0: none did.
uint64_t AddressSpace::insert_into_page(std::span<const HostBreakpoint> wanted, std::span<const size_t> order,
                                        std::vector<size_t>& failed) {
  uint64_t first = raw(wanted[order.front()].at), last = 0;
  Page page;
  auto part = std::span(page).first(raw(wanted[order.back()].at) - first + 1);
  bool is_there = read_raw(first, part) == part.size();
  std::vector<LedgerSite> fresh;
  for (size_t i : is_there ? order : order.first(0)) {
    uint64_t at = raw(wanted[i].at);
    std::byte& byte = part[at - first];
    // Another tracer's, mostly a uprobe's: the kernel handles every trap there as its own.
    if ((byte == kInt3 && !breakpoints_.contains(at)) || !raise_for(wanted[i])) {
      failed.push_back(i);
      continue;
    }
    if (enter(wanted[i], byte)) {
      fresh.push_back({at, byte});
      last = at;
    }
    byte = kInt3;
  }
  if (!fresh.empty()) note(first, static_cast<int>(fresh.size()));
  bool is_recorded = ledger_.is_recorded() && ledger_.image()->add(fresh);
  if (is_there && is_recorded && write_raw(first, part)) return last;
  for (size_t i : order) {
    failed.push_back(i);
    if (is_there) erase(raw(wanted[i].at));
  }
  return last;
}

void AddressSpace::erase(uint64_t address) {
  auto found = breakpoints_.find(address);
  if (found == breakpoints_.end()) return;
  semaphores_.release(*this, found->second.semaphore);
  breakpoints_.erase(found);
  note(address, -1);
}

/// False: there is one, which has another tag now.
bool AddressSpace::enter(const HostBreakpoint& wanted, std::byte original) {
  uint64_t at = raw(wanted.at);
  auto [place, is_new] =
      breakpoints_.try_emplace(at, Breakpoint{wanted.tag, original, nullptr, 0, batch_ends_.size(), 0});
  place->second.tag = wanted.tag;
  if (raw(wanted.semaphore) != 0) place->second.semaphore = raw(wanted.semaphore);
  return is_new;
}

/// Single bytes where they are few, as much of a page at once where they are many.
void AddressSpace::put_back(std::vector<Change>& changes) const {
  std::ranges::sort(changes, {}, &Change::at);
  Page page;
  for (size_t i = 0; i < changes.size();) {
    uint64_t first = changes[i].at;
    size_t end = i;
    while (end < changes.size() && changes[end].at / kPageBytes == first / kPageBytes) end++;
    auto part = std::span(page).first(changes[end - 1].at - first + 1);
    if (read_raw(first, part) == part.size()) {
      for (size_t k = i; k < end; k++)
        if (part[changes[k].at - first] == kInt3) part[changes[k].at - first] = changes[k].value;
      write_raw(first, part);
    }
    i = end;
  }
}

void AddressSpace::remove(std::span<const Addr> addresses) {
  std::vector<Change> changes;
  for (Addr address : addresses) {
    auto found = breakpoints_.find(raw(address));
    if (found == breakpoints_.end()) continue;
    changes.push_back({raw(address), found->second.original});
  }
  put_back(changes);
  for (const Change& change : changes) erase(change.at);
  note_removed(changes);
}

void AddressSpace::forget_removed(std::span<const HostBreakpoint> inserted) {
  constexpr size_t kFew = 8;
  auto is_there = [&](const Change& change) { return breakpoints_.contains(change.at); };
  if (inserted.size() > kFew) return static_cast<void>(std::erase_if(removed_, is_there));
  for (const HostBreakpoint& one : inserted) {
    auto at = std::ranges::lower_bound(removed_, raw(one.at), {}, &Change::at);
    if (at != removed_.end() && at->at == raw(one.at) && is_there(*at)) removed_.erase(at);
  }
}

void AddressSpace::note_removed(std::span<const Change> changes) {
  if (changes.size() == 1) {
    auto at = std::ranges::lower_bound(removed_, changes[0].at, {}, &Change::at);
    if (at == removed_.end() || at->at != changes[0].at) removed_.insert(at, changes[0]);
    return;
  }
  auto before = static_cast<ptrdiff_t>(removed_.size());
  removed_.insert(removed_.end(), changes.begin(), changes.end());
  std::ranges::inplace_merge(removed_, removed_.begin() + before, {}, &Change::at);
  auto twice = std::ranges::unique(removed_, {}, &Change::at);
  removed_.erase(twice.begin(), twice.end());
}

void AddressSpace::forget(std::span<const Addr> addresses) {
  for (Addr address : addresses) {
    Breakpoint* gone = at(raw(address));
    if (gone) semaphores_.forget(std::exchange(gone->semaphore, 0));
    erase(raw(address));
  }
}

void AddressSpace::remove_all() {
  std::vector<Change> changes;
  changes.reserve(breakpoints_.size());
  for (auto& [address, breakpoint] : breakpoints_) changes.push_back({address, breakpoint.original});
  put_back(changes);
  semaphores_.release_all(*this);
  breakpoints_.clear();
  pages_.clear();
  note_removed(changes);
}

bool AddressSpace::was_removed(uint64_t address) const {
  return std::ranges::binary_search(removed_, address, {}, &Change::at) && !has(address);
}

template <typename Visit>
void AddressSpace::for_each_in(uint64_t at, size_t bytes, Visit visit) {
  for (uint64_t from = at; from < at + bytes;) {
    uint64_t until = std::min((from / kPageBytes + 1) * kPageBytes, at + bytes);
    if (pages_.contains(from / kPageBytes))
      for (uint64_t address = from; address < until; address++)
        if (Breakpoint* breakpoint = this->at(address)) visit(address - at, *breakpoint);
    from = until;
  }
}

ReadOutcome AddressSpace::read(Addr at, std::span<std::byte> out) {
  size_t got = read_raw(raw(at), out);
  if (!pages_.empty())
    for_each_in(raw(at), got, [&](size_t offset, Breakpoint& breakpoint) { out[offset] = breakpoint.original; });
  return {got, false};
}

ReadOutcome AddressSpace::read_string(Addr at, std::span<char> out) {
  size_t done = 0;
  for (size_t bite = kFirstBiteBytes; done < out.size(); bite = kPageBytes) {
    uint64_t from = raw(at) + done;
    size_t want = std::min({out.size() - done, bite, static_cast<size_t>(kPageBytes - from % kPageBytes)});
    size_t got = read(Addr{from}, std::as_writable_bytes(out.subspan(done, want))).bytes;
    if (const void* nul = std::memchr(out.data() + done, 0, got))
      return {static_cast<size_t>(static_cast<const char*>(nul) - out.data()) + 1, false};
    done += got;
    if (got < want) break;
  }
  return {done, false};
}

bool AddressSpace::write(Addr at, std::span<const std::byte> bytes) {
  std::vector<std::byte> seen(bytes.begin(), bytes.end());
  std::vector<LedgerSite> changed;
  for_each_in(raw(at), bytes.size(), [&](size_t offset, Breakpoint& breakpoint) {
    breakpoint.original = bytes[offset];
    breakpoint.displaced = nullptr;
    breakpoint.slot = 0;
    seen[offset] = kInt3;
    changed.push_back({raw(at) + offset, bytes[offset]});
  });
  return ledger_.image()->add(changed) && write_raw(raw(at), seen);
}

}  // namespace strut
