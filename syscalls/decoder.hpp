// Turns a call's registers and memory into values, by its description.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "syscalls/arg_plan.hpp"
#include "syscalls/call.hpp"
#include "syscalls/layout_plan.hpp"
#include "syscalls/call_context.hpp"
#include "syscalls/syscall.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {

/// Descriptors chosen by number: -e read=3,5, -e write=all, -e read=!4.
struct FdChoice {
  std::vector<int> fds;
  bool inverted = false;  ///< all but `fds`
  bool contains(int fd) const { return (std::find(fds.begin(), fds.end(), fd) != fds.end()) != inverted; }
  bool none() const { return fds.empty() && !inverted; }
};

/// The request's choice of arguments and details. Bounds the reads; formats decide looks.
struct DecodeOptions {
  size_t max_string_bytes = 32;       ///< -s: longest string, and most items of an array …
  std::optional<size_t> max_items{};  ///< … unless this says how many
  size_t most_items() const { return max_items.value_or(max_string_bytes); }
  bool fd_targets = false;                     ///< -y: the files of descriptors
  bool fd_details = false;                     ///< -yy
  bool comms = false;                          ///< -Y: names of processes behind pids
  bool translate_pids = false;                 ///< --pidns-translation
  bool new_namespaces = false;                 ///< --namespace=new: which namespaces a call entered
  FdChoice dump_reads;                         ///< -e read: keep all that was read from these (DecodedCall::dumps)
  FdChoice dump_writes;                        ///< -e write
  SyscallSet raw;                              ///< -e raw: numbers only
  SyscallSet dereference = SyscallSet::all();  ///< -e verbose: follow pointers to structures
  /// -e abbrev: formats leave out detail fields, which are Absent then, and arrays are cut at -s items.
  SyscallSet abbreviate = SyscallSet::all();
};

/// The context of a decode: the target's memory, its files and names, and the options.
struct DecodeContext {
  Memory& memory;
  CallContext& around;
  const DecodeOptions& options;
};

/// Decodes the values that are known when the call is entered; resets `out` first.
void decode_enter(const Call& call, DecodeContext scene, DecodedCall& out);
/// Completes `out` when the call has returned (or never will: pending values stay Pending).
void decode_exit(const Call& call, DecodeContext scene, DecodedCall& out);

/// The decode in progress, as custom decoders see it. Every read is bounded and every failure a Value.
/// Wide, because custom decoders have this alone to read memory and to make values.
class Decoder {
 public:
  Decoder(const Call& call, DecodeContext scene, Phase phase, DecodedCall& out);

  const Call& call() const { return call_; }
  Phase phase() const { return phase_; }
  Abi abi() const { return call_.abi; }
  const DecodeOptions& options() const { return scene_.options; }
  CallContext& around() { return scene_.around; }
  Arena& arena() { return out_.arena; }
  DecodedCall& decoded() { return out_; }
  /// True if structures are to be shown in full: neither abbreviated nor raw.
  bool full() const;
  /// True unless -e verbose excludes this call: pointers are followed.
  bool dereferences() const;

  /// The register value of argument `index` of the description (i386 64-bit pairs joined).
  uint64_t arg(size_t index) const;
  /// The value that argument `index` had when the call was entered (for Change); nullptr if it was not decoded.
  const Value* at_enter(size_t index) const;

  // -- descriptions ---------------------------------------------------------------------------
  /// A scalar held in a register or already read. Pointer types are followed.
  Value scalar(const Type& type, uint64_t bits);
  /// The object of this type at an address: Unreadable or Unseen if it cannot be read.
  Value object(const Type& type, Addr at);
  /// The value of a pointer argument: NULL, a bare address, or `object` of its element by length.
  Value pointee(const Type& pointer, uint64_t bits);
  /// `count` items of `type` at an address, cut at -s items.
  Value array(const Type& type, Addr at, uint64_t count, ArrayStyle style = ArrayStyle::List);
  /// Items that are already decoded, cut at -s as `array` does.
  Value listed(std::span<const Value> items);
  /// A structure's fields at an address. It is read at once; reads of its parts by conditions and custom decoders
  /// are served from that copy. Detail fields of an abbreviated call are left Absent. The layout must be static data.
  Value structure(const StructLayout& layout, Addr at);
  /// Decodes only the `bytes` leading bytes (sizes that the caller passes): fields that do not fit are left out and
  /// Struct::cut is set.
  Value structure(const StructLayout& layout, Addr at, uint64_t bytes);
  /// Decodes a copy of its memory that the caller of this function read, and zero-filled where the kernel would.
  Value structure(const StructLayout& layout, Addr at, std::span<const std::byte> copy);
  /// The number of items or bytes that a length gives here; nullopt: it could not be read. PointedBy at exit is the
  /// lesser of the caller's offer and the kernel's answer (socklen_t of accept(2): the address is cut to the offer).
  std::optional<uint64_t> length(const Length& length, Addr structure = Addr{}, const StructLayout* layout = nullptr);

  // -- memory -----------------------------------------------------------------------------------
  /// A NUL-terminated string at an address (Path: up to PATH_MAX, else up to -s bytes).
  Value c_string(Addr at, TextKind kind);
  /// A sigset_t of so many bytes; an address if there are none or more than 8.
  Value signal_set(Addr at, uint64_t bytes);
  /// `bytes` bytes at an address, cut at -s.
  Value buffer(Addr at, uint64_t bytes, TextKind kind = TextKind::Text);
  /// All of `bytes` bytes, whatever -s says (in the arena); nullopt if any is missing.
  std::optional<std::string_view> all_bytes(Addr at, uint64_t bytes);
  /// Reads exactly this object; false if any byte is missing. `missing(at)` then says why as a Value.
  bool read_bytes(Addr at, std::span<std::byte> out);
  template <typename T>
  bool read(Addr at, T& out) {
    return read_bytes(at, std::as_writable_bytes(std::span(&out, 1)));
  }
  /// An integer of this width, zero-extended (sign-extended where `is_signed`).
  std::optional<uint64_t> read_number(Addr at, Width width, bool is_signed = false);
  /// False for NULL, and for addresses beyond 4 GiB in 32-bit code, which are never read.
  bool reaches(Addr at) const { return raw(at) != 0 && within_reach(at); }
  /// The value that stands for memory the last failed read could not get: Unreadable, or Unseen (which it counts).
  Value missing(Addr at);

  /// The file that a descriptor refers to now, whatever -y is: where the meaning of an argument depends on it.
  std::optional<FdTarget> target_of(int32_t number) { return scene_.around.fd_target(number, true); }

  // -- small values -------------------------------------------------------------------------------
  /// `unnamed`: another process's, whose file cannot be looked up.
  Value fd(int32_t number, bool unnamed = false);
  /// A descriptor where AT_FDCWD may stand.
  Value dir_fd(int32_t number);
  /// `unnamed`: a group's or a session's, which has no comm.
  Value process_id(int32_t number, bool unnamed = false);
  /// As CallContext::namespace_of.
  std::optional<std::string> namespace_of(int32_t id, const char* kind) { return scene_.around.namespace_of(id, kind); }
  static Value number(uint64_t bits, Show show, uint8_t bytes = 8) { return {Number{bits, show, bytes}, {}}; }
  static Value named(uint64_t bits, const ConstantSet& set, uint8_t bytes = 4) {
    return {Named{bits, &set, bytes}, {}};
  }
  static Value address(uint64_t bits) { return {Pointer{Addr{bits}}, {}}; }
  Value text(std::string_view bytes, TextKind kind = TextKind::Text, bool cut = false);
  /// Plain ASCII without quotes; static storage.
  static Value bare(std::string_view literal) { return {Text{literal, TextKind::Bare, false, false}, {}}; }
  Value fields(std::span<const FieldValue> fields, bool cut = false);
  Value change(const Value& before, const Value& after);

 private:
  friend void decode_enter(const Call& call, DecodeContext scene, DecodedCall& out);
  friend void decode_exit(const Call& call, DecodeContext scene, DecodedCall& out);

  /// The structure a field belongs to, for lengths that name another field.
  struct Enclosing {
    const StructLayout* layout = nullptr;
    Addr at{};
  };
  /// A recursive structure that is being expanded, and those around it.
  struct Expansion {
    const StructLayout* layout;
    Addr at;
    const Expansion* outer;
  };
  /// A copy of target memory from which reads are served while its parts are decoded.
  struct Window {
    Addr at{};
    std::span<const std::byte> bytes;
    bool covers(Addr from, size_t count) const {
      return bytes.size() >= count && raw(from) - raw(at) <= bytes.size() - count;
    }
  };
  /// Serves reads of a piece of memory from a copy until it ends.
  class WindowScope {
   public:
    WindowScope(Decoder& decoder, Window window) : decoder_(decoder), outer_(decoder.window_) {
      decoder.window_ = window;
    }
    ~WindowScope() { decoder_.window_ = outer_; }
    WindowScope(const WindowScope&) = delete;

   private:
    Decoder& decoder_;
    Window outer_;
  };
  class ExpansionScope;

  void enter();
  void exit();
  void enter_by_row();
  void enter_raw();
  void remember_entered();
  Value value_at_enter(const PlannedArg& arg);
  bool is_empty_array(const Type& type);
  Value value_at_exit(size_t index, const Value& entered);
  Value decoded(const PlannedArg& arg);
  Value descriptor(int32_t number, bool directory);

  /// The type that an Either is here.
  const Type& chosen(const Type& either, Addr at) {
    return either.choice->when(*this, at) ? *either.choice->then : *either.choice->otherwise;
  }
  Value number(const Type& type, uint64_t bits);
  Value named(const Type& type, uint64_t bits);
  Value word(const Type& type, uint64_t bits);
  Value word_part(const WordPart& part, uint64_t bits);
  void date(const Type& type, Addr at, Value& time);
  Value object(const Type& type, Addr at, Enclosing inside);
  Value counted_object(const Type& type, Addr at, uint64_t count);
  Value bit_set(const Type& type, Addr at, uint64_t bytes);
  Value whole_bytes(Addr at, uint64_t bytes, TextKind kind);
  Value whole_array(const Type& element, Addr at, uint64_t count);
  Value counted_items(const Type& counted, Addr at, uint64_t count);
  Value structure(const Type& type, Addr at);
  Value sized_structure(const Type& type, Addr at);
  Value members_in_array(const Type& type, const Struct& structure);
  std::optional<uint64_t> count_from(const Length& length, Addr structure, const StructLayout* layout);
  Value pointee(const Type& pointer, uint64_t bits, Enclosing inside);
  Value counted_pointee(const Type& pointer, Addr at, Enclosing inside);
  Value boxed(const Type& type, Addr at);
  Value elements(const Type& type, Addr at, uint64_t count, size_t item_bytes, ArrayStyle style);
  Value ended_array(std::span<Value> items, Addr missing_at, ArrayStyle style);
  std::span<Value> with_room(std::span<Value> items, size_t count);
  Value fields_of(const StructLayout& layout, const LayoutPlan& plan, Addr at, size_t bytes);
  std::optional<Value> not_expanded(const StructLayout& layout, Addr at);
  std::optional<uint64_t> count_until_zero(const Type& element, Addr at, uint64_t most);
  Value char_array(Addr at, size_t bytes, TextKind kind);
  Value string_within(Addr at, uint64_t bytes, TextKind kind);
  Value read_scalar(const Type& type, Addr at);
  bool within_reach(Addr at) const { return pointer_bytes(call_.abi) == 8 || raw(at) >> 32 == 0; }
  ReadOutcome read_some(Addr at, std::span<std::byte> out);
  std::optional<std::string_view> read_string_up_to(Addr at, uint64_t limit);
  std::string_view joined(std::string_view head, std::string_view tail);
  std::optional<uint64_t> pointed_length(size_t index);

  const Call& call_;
  DecodeContext scene_;
  Phase phase_;
  DecodedCall& out_;
  ArgPlan plan_;
  /// At exit: the values that the first entered_count_ arguments had at enter.
  std::array<const Value*, kMaxDecodedArgs> entered_;
  size_t entered_count_ = 0;
  Window window_;
  const Expansion* expansion_ = nullptr;
  size_t expanded_ = 0;  ///< structures with a layout that is no static data: users' may multiply without end
  uint8_t depth_ = 0;    ///< pointers followed to get here
  bool last_unseen_ = false;
};

/// True if two values show the same thing (Change is made only where they do not).
bool same(const Value& a, const Value& b);

}  // namespace strut
