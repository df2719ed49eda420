// Writes the operations of one phase of a plan from descriptions of the memory to copy.
#pragma once

#include <vector>

#include "kassist/plans/around.hpp"
#include "kassist/wire/wire.h"
#include "syscalls/arg_plan.hpp"
#include "syscalls/decoder.hpp"

namespace strut {

/// How much of memory the request will show.
struct CaptureLimits {
  uint64_t text_bytes = 33;  ///< for a buffer or a string that is no path: -s and one more
  uint64_t items = 33;       ///< for an array: one item more than is shown is read
  bool details = false;      ///< fields and elements that only -v shows
  bool contents = true;      ///< the memory that pointers in structures point to
  uint32_t around = 0;       ///< enum wire_around: the context to look up for descriptors and ids
};

/// The type that stands for this one in a plan: the one that its decoder reads; of two the one that leads to memory.
const Type& plain(const Type& type);

/// Ops for the arguments of one call. Addresses and counts are in slots: registers, and words that were loaded before.
/// A method for each shape of an argument.
class PlanWriter {
 public:
  PlanWriter(const ArgPlan& args, Abi abi, const CaptureLimits& limits) : args_(args), abi_(abi), limits_(limits) {}

  /// The memory that argument `index` points to, or the object that it names. `flags`: for each operation (enum
  /// wire_op_flags).
  void argument(size_t index, uint8_t flags);
  /// The memory that the fields of a structure at slot `at` point to.
  void pointers_of(const StructLayout& layout, uint8_t at) { fields(layout, {at}); }
  /// The object that slot `at` names if this type is a descriptor or an id.
  void number(const Type& type, uint8_t at, uint8_t flags);
  /// The file of the descriptor in memory at slot `at`, whatever options say.
  void file_behind(uint8_t at);
  /// `bytes` bytes at slot `at` + `offset`.
  void bytes(uint8_t at, uint32_t bytes, uint8_t flags, uint16_t offset = 0);
  void add(const wire_op& op) { ops_.push_back(op); }
  /// The memory that a number of this type at slot `slot` points to, or the object that it names.
  void pointed(const Type& type, uint8_t slot, uint8_t flags = 0);
  /// The memory that a pointer in a slot points to, as much as the number in another slot says.
  void counted_by(const Type& pointer, uint8_t slot, uint8_t counter);
  /// An object at slot `slot` + `offset`, and the memory that it points to.
  void object_at(const Type& type, uint8_t slot, uint16_t offset) { object(type, {slot, offset}, {}); }
  /// A string of at most so many bytes.
  void text(uint8_t slot, uint64_t most, uint8_t flags);
  /// A string of at most so many bytes, or of so many wchar_t, if there is one.
  void narrow_or_wide(uint8_t slot, uint64_t most);
  /// Does so for the address in the word at slot `at` + `offset`.
  void narrow_or_wide_at(uint8_t at, uint16_t offset, uint64_t most);
  /// `bytes` bytes, or as many as there are, where the word at slot `at` + `offset` points.
  void bytes_behind(uint8_t at, uint16_t offset, uint32_t bytes);
  uint8_t loaded_word(uint8_t at, uint16_t offset) { return loaded_number(at, offset, sizeof(uint64_t)); }
  /// Makes the operations of `write` conditional: slot `slot` must hold `first` to `last`.
  template <typename Write>
  void when(uint8_t slot, uint32_t first, uint32_t last, Write write) {
    wire_op condition = op(WIRE_OP_WHEN, {slot});
    condition.element = first;
    condition.max = last;
    size_t before = ops_.size();
    add(condition);
    write();
    ops_[before].body = static_cast<uint8_t>(ops_.size() - before - 1);
    if (ops_[before].body == 0) ops_.pop_back();
  }
  /// A slot with the number of `bytes` bytes at slot `at` + `offset`, for good; WIRE_SLOTS: none is left.
  uint8_t loaded_number(uint8_t at, uint16_t offset, size_t bytes);
  /// Slots up to and with this one are not used for anything else from now on.
  void leave_out(uint8_t slot);

  const std::vector<wire_op>& ops() const { return ops_; }
  std::vector<wire_op> take() { return std::move(ops_); }

 private:
  /// Where an object is: slot and offset.
  struct Place {
    uint8_t slot;
    uint16_t offset = 0;
  };
  /// How many there are of something.
  struct Count {
    bool counted = false;
    uint8_t slot = 0;
    uint8_t flags = 0;
    uint32_t fixed = 1;
    uint8_t times = 1, divisor = 1;  ///< Length's
  };
  struct Enclosing {
    const StructLayout* layout = nullptr;
    Place at{};
  };
  class FreeSlots;

  void value(const Type& type, Place place, Enclosing inside);
  void pointer(const Type& type, uint8_t slot, Enclosing inside);
  void object(const Type& type, Place place, Enclosing inside);
  void structure(const Type& type, Place place);
  void counted_items(const Type& array, Place place, Enclosing inside);
  void fields(const StructLayout& layout, Place place);
  /// At most `limit` of them; 0: no limit but the request's.
  void items(const Type& element, Place place, const Count& count, uint32_t limit = 0);
  void numbers_in(const Type& bytes, uint8_t slot, const Count& count);
  void words(const Type& element, Place place);
  void counted_bytes(Place place, const Count& count, uint64_t most, uint8_t flags = 0);
  void socket_data(Place place, const Count& count);
  void string(Place place, uint64_t most);
  void each(Place place, const Count& count, size_t item_bytes, uint64_t most, const Type& element);
  Count count_of(const Length& length, Enclosing inside);
  Count plain_count(const Length& length, Enclosing inside);
  Count loaded(Place place, size_t bytes);
  uint64_t most_bytes(const Type& bytes) const;
  uint32_t most_items(size_t item_bytes) const;
  bool points_on(const Type& type) const;
  bool is_looked_behind(const Type& type) const;
  wire_op op(wire_op_kind kind, Place place) const;

  const ArgPlan& args_;
  Abi abi_;
  CaptureLimits limits_;
  uint8_t flags_ = 0;  ///< for every operation
  uint8_t next_slot_ = WIRE_FIRST_FREE;
  std::vector<wire_op> ops_;
};

}  // namespace strut
