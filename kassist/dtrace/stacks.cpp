#include "kassist/dtrace/stacks.hpp"

#include <algorithm>
#include <cstring>

#include "dlang/machine/record.hpp"

namespace strut {

namespace {

constexpr size_t padded(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

std::optional<uint64_t> word_at(std::span<const std::byte> bytes, size_t at) {
  if (at + sizeof(uint64_t) > bytes.size()) return std::nullopt;
  uint64_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// The stack pointer and the memory above it; nothing else can be read.
class CopiedStack final : public Memory {
 public:
  CopiedStack(uint64_t at, std::span<const std::byte> bytes) : at_(at), bytes_(bytes) {}
  ReadOutcome read(Addr from, std::span<std::byte> out) override {
    uint64_t offset = raw(from) - at_;
    if (raw(from) < at_ || offset >= bytes_.size()) return {0, true};
    size_t count = std::min<size_t>(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return {count, count < out.size()};
  }
  /// There are no strings on a stack that an unwinder reads.
  ReadOutcome read_string(Addr, std::span<char>) override { return {0, true}; }

 private:
  uint64_t at_;
  std::span<const std::byte> bytes_;
};

}  // namespace

std::optional<DRecordView> d_record_in(std::span<const std::byte> content) {
  if (content.size() < sizeof(d_record)) return std::nullopt;
  auto* header = reinterpret_cast<const d_record*>(content.data());
  auto rest = content.subspan(sizeof(d_record));
  if (header->item_bytes > rest.size() || header->stack_bytes > rest.size() - header->item_bytes) return std::nullopt;
  DRecordView view{header, rest.first(header->item_bytes)};
  if (header->stack_bytes < sizeof(d_stack)) return view;
  auto stack = rest.subspan(header->item_bytes, header->stack_bytes);
  view.stack = reinterpret_cast<const d_stack*>(stack.data());
  view.stack_bytes = stack.subspan(sizeof(d_stack));
  view.stack_bytes = view.stack_bytes.first(std::min<size_t>(view.stack_bytes.size(), view.stack->bytes));
  return view;
}

DStacks::DStacks(const DProgram& program, std::unique_ptr<Unwinder> unwinder)
    : program_(program), late_(late_values(program).value_or(DLateValues{})), unwinder_(std::move(unwinder)) {}

// -- where code lies ------------------------------------------------------------------------------------

void DStacks::attach(Pid pid) {
  unwinder_->reported_from_now_on(pid);
  reported_.insert(raw(pid));
}

void DStacks::catch_up(uint64_t before_ns, DObserver& observer) {
  for (; !changes_.empty() && changes_.front().at_ns <= before_ns; changes_.pop_front()) {
    apply(changes_.front());
    if (reports_) report(changes_.front(), observer);
  }
}

void DStacks::report(const ProcessChange& change, DObserver& observer) const {
  switch (change.kind) {
    case ProcessChange::Kind::Executed: return observer.executed(change.pid, change.at_ns);
    case ProcessChange::Kind::Forked: return observer.forked(change.parent, change.pid, change.at_ns);
    case ProcessChange::Kind::Mapped: return observer.mapped(change.pid, change.mapping);
    case ProcessChange::Kind::Exited:
      if (raw(change.tid) == raw(change.pid)) observer.unmapped(change.pid);
      return;
    case ProcessChange::Kind::Lost: return observer.missed_changes();
  }
}

void DStacks::apply(const ProcessChange& change) {
  bool is_reported = reported_.contains(raw(change.pid));
  switch (change.kind) {
    case ProcessChange::Kind::Executed:
      unwinder_->nothing_mapped(change.pid);
      reported_.insert(raw(change.pid));
      return;
    case ProcessChange::Kind::Forked:
      if (!reported_.contains(raw(change.parent))) return;
      unwinder_->forked(change.parent, change.pid);
      reported_.insert(raw(change.pid));
      return;
    case ProcessChange::Kind::Mapped:
      if (!is_reported) return unwinder_->modules_changed(change.pid);
      if (change.mapping.path == "[vdso]") return unwinder_->vdso_mapped(change.pid, change.mapping.start);
      return unwinder_->mapped(change.pid, change.mapping);
    case ProcessChange::Kind::Exited:
      if (raw(change.tid) != raw(change.pid)) return;  // the leader usually exits last
      unwinder_->gone(change.pid);
      reported_.erase(raw(change.pid));
      return;
    case ProcessChange::Kind::Lost:
      for (int32_t pid : std::exchange(reported_, {})) unwinder_->gone(Pid{pid});
      return;
  }
}

// -- records --------------------------------------------------------------------------------------------

std::optional<std::span<const std::byte>> DStacks::complete(const DRecordView& record, DObserver& observer) {
  catch_up(record.header->time_ns, observer);
  if (!record.stack) return record.items;
  bytes_.clear();
  frames_.clear();
  bool makes_sense = record.header->kind == D_TAKEN ? complete_keys(record) : complete_actions(record);
  if (!makes_sense) return std::nullopt;
  return bytes_;
}

/// dlang/machine/record.hpp: {uint32 action, uint32 bytes} and items.
bool DStacks::complete_actions(const DRecordView& record) {
  for (std::span<const std::byte> rest = record.items; !rest.empty();) {
    uint32_t words[2];
    if (rest.size() < sizeof words) return false;
    std::memcpy(words, rest.data(), sizeof words);
    if (words[0] >= program_.actions.size() || words[1] > rest.size() - sizeof words) return false;
    size_t head = bytes_.size();
    put(rest.first(sizeof words));
    auto late = [&](uint32_t item) { return late_.item(words[0], item); };
    if (!complete_items(rest.subspan(sizeof words, words[1]), program_.actions[words[0]].items, record, late))
      return false;
    auto grown = static_cast<uint32_t>(bytes_.size() - head - sizeof words);
    std::memcpy(bytes_.data() + head + sizeof(uint32_t), &grown, sizeof grown);
    rest = rest.subspan(sizeof words + words[1]);
  }
  return true;
}

bool DStacks::complete_keys(const DRecordView& record) {
  uint32_t aggregation = record.header->aggregation;
  if (aggregation >= program_.aggregations.size()) return false;
  auto late = [&](uint32_t key) { return late_.key(code_of(record), key); };
  return complete_items(record.items, program_.aggregations[aggregation].keys, record, late);
}

/// The late value is the last word of its item: a number, or the address after its process.
bool DStacks::complete_items(std::span<const std::byte> items, std::span<const DShape> shapes,
                             const DRecordView& record, const LateItem& late) {
  for (uint32_t number = 0; number < shapes.size(); number++) {
    std::optional<size_t> taken = copy_item(items, shapes[number], record);
    if (!taken) return false;
    items = items.subspan(*taken);
    DLateValue which = late(number);
    if (which == DLateValue::None) continue;
    uint64_t value = late_value(record, which);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
  }
  return items.empty();
}

uint32_t DStacks::code_of(const DRecordView& record) const {
  uint32_t clause = record.header->clause;
  return clause < program_.clauses.size() ? program_.clauses[clause].begin + record.header->code : UINT32_MAX;
}

uint64_t DStacks::late_value(const DRecordView& record, DLateValue which) {
  constexpr size_t kDeepest = 512;  // as the interpreter counts
  if (which == DLateValue::Depth) return frames(record, kDeepest).size();
  auto two = frames(record, 2);
  return two.size() == 2 ? address_of_frame(two[1]) : 0;
}

int64_t DStacks::taken_value(const DRecordView& record) {
  DLateValue which = late_.taken_by(code_of(record));
  return which == DLateValue::None || !record.stack ? record.header->value
                                                    : static_cast<int64_t>(late_value(record, which));
}

/// How many bytes of the record it was.
std::optional<size_t> DStacks::copy_item(std::span<const std::byte> rest, const DShape& shape,
                                         const DRecordView& record) {
  auto first = word_at(rest, 0), second = word_at(rest, sizeof(uint64_t));
  if (!first) return std::nullopt;
  size_t bytes = sizeof(uint64_t);
  if (shape.is_counted()) bytes += padded(static_cast<uint32_t>(*first));
  if (shape.is_address()) bytes = 2 * sizeof(uint64_t);
  if (shape.is_stack()) {
    if (!second) return std::nullopt;
    if (*second & D_STACK_WANTED) {
      auto addresses = frames(record, *second & ~D_STACK_WANTED);
      uint64_t head[] = {*first, addresses.size()};
      put(std::as_bytes(std::span(head)));
      put(std::as_bytes(addresses));
      return sizeof head;
    }
    bytes = (2 + std::min<size_t>(*second, rest.size())) * sizeof(uint64_t);
  }
  if (bytes > rest.size()) return std::nullopt;
  put(rest.first(bytes));
  return bytes;
}

std::span<const uint64_t> DStacks::frames(const DRecordView& record, size_t most) {
  if (frames_.size() >= most) return std::span(frames_).first(most);
  UserRegisters registers;
  static_assert(sizeof registers == sizeof record.stack->regs);
  std::memcpy(registers.data(), record.stack->regs, sizeof registers);
  if (auto behind = behind_.find(record.header->probe); behind != behind_.end())
    registers[user_register::kInstructionPointer] -= behind->second;
  CopiedStack memory(record.stack->at, record.stack_bytes);
  Pid pid{static_cast<int32_t>(record.header->pid)};
  frames_.clear();
  for (const StackFrame& frame : unwinder_->unwind(pid, registers, memory, most).frames)
    frames_.push_back(frames_.empty() || frame.is_return ? raw(frame.pc) : interrupted_at(raw(frame.pc)));
  return frames_;
}

}  // namespace strut
