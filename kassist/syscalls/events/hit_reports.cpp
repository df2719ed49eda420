#include "kassist/syscalls/events/hit_reports.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "trace/function_points.hpp"

namespace strut {

namespace {

/// A return is seen by its return address only for functions where that may be replaced; for others by the instruction
/// after the call.
FunctionSite::Kind kind_of(const wire_record& record, const FunctionPoints& functions) {
  switch (record.site) {
    case WIRE_SITE_ENTRY: return FunctionSite::Kind::Entry;
    case WIRE_SITE_JUMP: return FunctionSite::Kind::Jump;
    case WIRE_SITE_OUTWARD: return FunctionSite::Kind::Outward;
    case WIRE_SITE_RETURNED:
      return functions.function(record.function).may_replace_return ? FunctionSite::Kind::Return
                                                                    : FunctionSite::Kind::Behind;
    default: return FunctionSite::Kind::Return;
  }
}

/// An entry has registers, a return has results.
void take_registers(FunctionHit& hit, const wire_record& record) {
  if (hit.kind == FunctionSite::Kind::Entry) {
    std::copy_n(record.regs, hit.entry.integers.size(), hit.entry.integers.begin());
    hit.entry.stack = Addr{hit.frame};
  } else if (hit.kind == FunctionSite::Kind::Return || hit.kind == FunctionSite::Kind::Behind) {
    hit.returned.rax = record.returned.rax;
    hit.returned.rdx = record.returned.rdx;
    hit.error_number = static_cast<int>(record.returned.error_number);
  }
}

void take_goroutine(FunctionHit& hit, const RecordView& record) {
  record.each_chunk([&](const ChunkView& chunk) {
    std::array<uint64_t, 2> bounds;
    if (chunk.header->kind != WIRE_GOROUTINE || chunk.content.size() != sizeof bounds) return;
    std::memcpy(bounds.data(), chunk.content.data(), sizeof bounds);
    hit.runs(chunk.header->at, bounds[0], bounds[1]);
  });
}

/// The lower halves of vector registers hold numbers; parts in their initial state were not written.
void take_floatings(FunctionHit& hit, const RecordView& record) {
  record.each_chunk([&](const ChunkView& chunk) {
    wire_floatings seen;
    if (chunk.header->kind != WIRE_FLOATINGS || chunk.content.size() != sizeof seen) return;
    std::memcpy(&seen, chunk.content.data(), sizeof seen);
    if (!(seen.features & 1)) std::ranges::fill(seen.x87, 0);
    auto vector = [&](size_t i) { return seen.features & 2 ? seen.vectors[i][0] : 0; };
    for (size_t i = 0; i < hit.entry.floatings.size(); i++) hit.entry.floatings[i] = vector(i);
    for (size_t i = 0; i < hit.returned.floatings.size(); i++) hit.returned.floatings[i] = vector(i);
    std::ranges::copy(seen.x87, hit.returned.x87.begin());
    hit.entry.has_floatings = hit.returned.has_floatings = true;
  });
}

/// Replaces the last hit's memory by that which was captured at this site.
SeenAtSites& seen_at_site(EventContext& context, FollowedThread& thread, const Order::Entry& entry) {
  if (!thread.at_sites)
    thread.at_sites = std::make_unique<SeenAtSites>(thread.tid, context.request.decode, context.threads.sockets());
  SeenAtSites& seen = *thread.at_sites;
  seen.begin();
  for (const Order::Part& part : entry.parts) seen.add(part.record, part.batch);
  seen.add(entry.record, entry.batch);
  return seen;
}

}  // namespace

Result<void> report_hit(EventContext& context, CallStacks& stacks, FollowedThread& thread, const Order::Entry& entry) {
  if (thread.hidden) return {};
  const wire_record& record = entry.record.header();
  SeenAtSites& seen = seen_at_site(context, thread, entry);
  FunctionHit hit{.kind = kind_of(record, *context.request.functions),
                  .function = record.function,
                  .frame = record.regs[WIRE_SP],
                  .return_address = record.ip,
                  .scene = {seen.memory, seen.around, context.request.decode}};
  take_registers(hit, record);
  for (const Order::Part& part : entry.parts) take_goroutine(hit, part.record), take_floatings(hit, part.record);
  take_goroutine(hit, entry.record);
  take_floatings(hit, entry.record);
  const Stack* stack = hit.kind == FunctionSite::Kind::Entry ? stacks.unwind(thread, entry) : nullptr;
  return context.emit(thread, record.at_ns, record.ip, FunctionHitEvent{&hit}, stack);
}

}  // namespace strut
