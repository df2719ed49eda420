#include "ptrace/address_space.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <unistd.h>

#include "core/proc/proc_file.hpp"

namespace strut {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr std::byte kInt3{0xcc};
/// First bite of a string: nearly every one is shorter.
constexpr size_t kFirstBiteBytes = 256;

using Page = std::array<std::byte, kPageBytes>;

}  // namespace

AddressSpace::AddressSpace(Tid tid) : memory_(::open(proc_path(raw(tid), "mem"), O_RDWR | O_CLOEXEC)) {}

AddressSpace::AddressSpace(Tid child, const AddressSpace& parent)
    : memory_(::open(proc_path(raw(child), "mem"), O_RDWR | O_CLOEXEC)),
      breakpoints_(parent.breakpoints_),
      pages_(parent.pages_),
      removed_(parent.removed_),
      batch_ends_(parent.batch_ends_),
      slots_(parent.slots_) {
  // Removed from the parent after the child was made: it still has them.
  std::vector<Change> late;
  for (auto& [address, original] : removed_) late.push_back({address, original});
  put_back(late);
  catch_up();
  for (const Slots::Part& part : slots_.parts()) copy_slots(parent, part);
}

bool AddressSpace::has(uint64_t address) const {
  std::byte now{};
  return read_raw(address, {&now, 1}) == 1 && now == kInt3;
}

/// Breakpoints may have been inserted into the parent between the child's copy of the memory and now: whoever is
/// attached to may be about to make a process, and so may a thread while another one's call has code armed. Batches are
/// written in the order of addresses, one after another, so one look at the last place shows that none is lacking.
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
    if (breakpoint.batch >= first) lacking.push_back({Addr{address}, breakpoint.tag});
  insert(lacking);
}

/// Another thread of the parent may have got slots between the child's copy of the memory and now: the child would run
/// into what is not there.
void AddressSpace::copy_slots(const AddressSpace& parent, const Slots::Part& part) {
  std::vector<std::byte> theirs(part.bytes), ours(part.bytes);
  bool is_there = parent.read_raw(part.start, theirs) == part.bytes && read_raw(part.start, ours) == part.bytes;
  if (is_there && (theirs == ours || write_raw(part.start, theirs))) return;
  slots_.drop_area(part.start);
  for (auto& [address, breakpoint] : breakpoints_)
    if (breakpoint.slot - part.start < kSlotAreaBytes) breakpoint.slot = 0;
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

/// Writes the bytes from the first to the last breakpoint of a page at once: what lies between is written as it was
/// read. Code that changes itself there is the one that could tell.
std::vector<size_t> AddressSpace::insert(std::span<const HostBreakpoint> wanted) {
  std::vector<size_t> order(wanted.size()), failed;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return wanted[a].at < wanted[b].at; });
  breakpoints_.reserve(breakpoints_.size() + wanted.size());
  uint64_t last = 0;
  Page page;
  for (size_t i = 0; i < order.size();) {
    uint64_t first = raw(wanted[order[i]].at), number = first / kPageBytes;
    size_t end = i;
    while (end < order.size() && raw(wanted[order[end]].at) / kPageBytes == number) end++;
    size_t bytes = raw(wanted[order[end - 1]].at) - first + 1;
    auto part = std::span(page).first(bytes);
    bool there = read_raw(first, part) == bytes;
    // On record before it is in memory: whoever comes to undo it finds it.
    for (size_t k = i; there && k < end; k++) {
      const HostBreakpoint& one = wanted[order[k]];
      std::byte& byte = part[raw(one.at) - first];
      // Somebody else's, of a uprobe mostly: the kernel takes every trap there for its own.
      if (byte == kInt3 && !breakpoints_.contains(raw(one.at))) {
        failed.push_back(order[k]);
        continue;
      }
      auto [place, fresh] =
          breakpoints_.try_emplace(raw(one.at), Breakpoint{one.tag, byte, nullptr, 0, batch_ends_.size()});
      place->second.tag = one.tag;
      if (fresh) note(last = raw(one.at), +1), removed_.erase(raw(one.at));
      byte = kInt3;
    }
    if (!there || !write_raw(first, part))
      for (size_t k = i; k < end; k++) {
        failed.push_back(order[k]);
        if (there && breakpoints_.erase(raw(wanted[order[k]].at)) != 0) note(raw(wanted[order[k]].at), -1);
      }
    i = end;
  }
  if (last != 0) batch_ends_.push_back(last);
  return failed;
}

/// Single bytes where they are few, as much of a page at once where they are many.
void AddressSpace::put_back(std::vector<Change>& changes) const {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
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
  for (const Change& change : changes) {
    if (breakpoints_.erase(change.at) == 0) continue;
    note(change.at, -1);
    removed_[change.at] = change.value;
  }
}

void AddressSpace::forget(std::span<const Addr> addresses) {
  for (Addr address : addresses)
    if (breakpoints_.erase(raw(address)) != 0) note(raw(address), -1);
}

void AddressSpace::remove_all() {
  std::vector<Addr> all;
  all.reserve(breakpoints_.size());
  for (auto& [address, breakpoint] : breakpoints_) all.push_back(Addr{address});
  remove(all);
}

bool AddressSpace::was_removed(uint64_t address) const { return removed_.contains(address) && !has(address); }

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
  for_each_in(raw(at), bytes.size(), [&](size_t offset, Breakpoint& breakpoint) {
    breakpoint.original = bytes[offset];
    breakpoint.displaced = nullptr;
    breakpoint.slot = 0;
    seen[offset] = kInt3;
  });
  return write_raw(raw(at), seen);
}

}  // namespace strut
