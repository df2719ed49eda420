// User stacks in D records: copied in the kernel, unwound here.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/machine/engine.hpp"
#include "kassist/dtrace/late_values.hpp"
#include "kassist/uprobes/process_watch.hpp"
#include "kassist/wire/dtrace_wire.h"
#include "trace/unwinder.hpp"

namespace strut {

/// A record of the ring, its parts checked to lie within it.
struct DRecordView {
  const d_record* header;
  std::span<const std::byte> items;
  const d_stack* stack = nullptr;  ///< nullptr: none was asked for
  std::span<const std::byte> stack_bytes{};
};
/// nullopt: it is none.
std::optional<DRecordView> d_record_in(std::span<const std::byte> content);

/// Knows where code lies in processes, at the time of each record.
class DStacks {
 public:
  /// `program` outlives this.
  DStacks(const DProgram& program, std::unique_ptr<Unwinder> unwinder);
  /// Observers want to know of changes, too.
  void report_changes() { reports_ = true; }

  /// The process lives already: its code is read from /proc now, later changes are reported.
  void attach(Pid pid);
  /// The site of this probe is this many bytes after the place of the wanted stack; no instruction in between moves the
  /// stack pointer.
  void sits_behind(uint32_t probe, uint64_t bytes) { behind_[probe] = bytes; }
  /// To be called in the order of time. It takes effect for records that were made later.
  void take(ProcessChange change) { changes_.push_back(std::move(change)); }

  /// The items of a record with the addresses of its user stacks. Valid until the next call, and as long as the record
  /// is. nullopt: they are malformed. Earlier changes of mappings take effect, and are reported, before.
  std::optional<std::span<const std::byte>> complete(const DRecordView& record, DObserver& observer);
  /// The value that an aggregation took (D_TAKEN), after complete().
  int64_t taken_value(const DRecordView& record);
  /// No record that was made before this time is to come.
  void catch_up(uint64_t before_ns, DObserver& observer);

 private:
  void apply(const ProcessChange& change);
  void report(const ProcessChange& change, DObserver& observer) const;
  std::span<const uint64_t> frames(const DRecordView& record, size_t most);
  using LateItem = std::function<DLateValue(uint32_t item)>;
  bool complete_items(std::span<const std::byte> items, std::span<const DShape> shapes, const DRecordView& record,
                      const LateItem& late);
  bool complete_actions(const DRecordView& record);
  bool complete_keys(const DRecordView& record);
  std::optional<size_t> copy_item(std::span<const std::byte> rest, const DShape& shape, const DRecordView& record);
  uint64_t late_value(const DRecordView& record, DLateValue which);
  uint32_t code_of(const DRecordView& record) const;
  void put(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  const DProgram& program_;
  DLateValues late_;
  std::unique_ptr<Unwinder> unwinder_;
  bool reports_ = false;
  std::deque<ProcessChange> changes_;              ///< not in effect yet
  std::unordered_set<int32_t> reported_;           ///< processes with code that is known without reading /proc late
  std::unordered_map<uint32_t, uint64_t> behind_;  ///< by probe
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> frames_;
};

}  // namespace strut
