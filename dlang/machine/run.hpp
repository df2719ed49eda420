// The state of a machine and the steps that instructions are. Inside dlang only.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/machine/machine.hpp"
#include "dlang/machine/probe_context.hpp"
#include "dlang/machine/record.hpp"
#include "dlang/output/aggregations.hpp"

namespace strut {

/// More at once faults (DTrace Guide, "chill()").
inline constexpr uint64_t kLongestChill_ns = 500'000'000;

/// Values of variables: a number and a string for each place, of which one is used. nullopt: NULL.
struct DCells {
  std::vector<uint64_t> numbers;
  std::vector<std::optional<std::string>> texts;
  explicit DCells(size_t count = 0, std::optional<std::string> text = std::string())
      : numbers(count), texts(count, std::move(text)) {}
};

/// One element of an array.
struct DElement {
  uint64_t number = 0;
  std::string text;
};

struct DKeyHash {
  using is_transparent = void;
  size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
};
using DElements = std::unordered_map<std::string, DElement, DKeyHash, std::equal_to<>>;

/// All that steps work on.
struct DRun {
  DRun(const DProgram& of, const DLimits& limits);

  // -- the clause as steps see it
  const DProgram& program;
  ProbeContext* context = nullptr;
  const DInstruction* next = nullptr;  ///< the instruction behind the current one
  bool done = false;
  DFault fault = DFault::None;
  uint64_t fault_address = 0;

  std::array<uint64_t, 256> r{};
  std::array<std::string_view, kDTextRegisters> t{};

  // -- text registers
  /// The place that belongs to a text register, text_bytes of it.
  char* place(unsigned index) { return text_places.get() + index * text_bytes; }
  /// The register becomes a copy of `text`, cut to its size. `text` may overlap the register.
  void set_text(unsigned index, std::string_view text) {
    size_t size = std::min(text.size(), text_bytes - 1);
    if (size != 0) std::memmove(place(index), text.data(), size);
    t[index] = {place(index), size};
  }
  bool is_null(unsigned index) const { return t[index].data() == nullptr; }
  void set_null(unsigned index) { t[index] = {}; }
  void set_kept_text(unsigned index, const std::optional<std::string>& text) {
    if (text) set_text(index, std::string_view(*text));
    else set_null(index);
  }
  std::optional<std::string> kept_text(unsigned index) const {
    return is_null(index) ? std::nullopt : std::optional<std::string>(t[index]);
  }
  size_t text_bytes;
  std::unique_ptr<char[]> text_places;

  // -- scratch `bytes` bytes at a scratch address; nullptr: not all of them are allocated (and the run has failed).
  std::byte* scratch_at(uint64_t address, uint64_t bytes);
  /// The address of fresh bytes; nullopt: there is no room (and the run has failed).
  std::optional<uint64_t> allocate(uint64_t bytes);
  /// The allocated bytes from a scratch address on; empty: it is none.
  std::span<std::byte> memory_from(uint64_t address);
  size_t scratch_bytes;
  std::unique_ptr<std::byte[]> scratch;
  size_t scratch_used = 0;

  // -- variables in memory
  std::vector<std::byte> global_memory;
  std::vector<std::span<std::byte>> windows;  ///< this firing's
  /// Memory in the place of variables that are absent or were dropped, by its size.
  std::map<size_t, std::unique_ptr<std::byte[]>> absent;
  uint64_t window_on(std::string& bytes, size_t size);
  uint64_t window_on_nothing(size_t size);

  void fail(DFault what, uint64_t address = 0) {
    fault = what;
    fault_address = address;
    done = true;
  }

  // -- variables
  DCells globals;
  DCells clause_locals;
  /// This thread's; nullptr: nothing is kept for it.
  DCells* thread_cells(bool make);
  size_t forget_unset();
  std::unordered_map<int64_t, DCells> threads;
  std::optional<int64_t> cached_thread;
  DCells* cached_cells = nullptr;
  std::vector<DElements> arrays;  ///< by variable
  size_t thread_bytes;            ///< the cost of a thread with variables: of all of them, strings aside
  size_t dynamic_room;
  uint64_t dynamic_drops = 0;

  // -- tuples, records
  DRecordWriter keys;
  DRecordWriter record;
  std::vector<uint64_t> frames;
  std::span<const uint64_t> user_frames(uint64_t most);
  std::span<const uint64_t> kernel_frames(uint64_t most);
  uint64_t process() { return context->integer(DBuiltin::Pid); }
  std::string_view key() {
    auto bytes = keys.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  DAggregations aggregations;
  std::optional<int32_t> exit_status;
  bool left = false;                      ///< exit() was called in this firing
  std::optional<std::string> token_text;  ///< strtok(); nullopt: not called yet
  size_t token_at = 0;
  uint64_t random;

  // -- speculations
  enum class Speculation : uint8_t { Open, Ended };
  std::unordered_map<uint64_t, Speculation> speculations;
  uint32_t last_speculation = 0;
  uint64_t failed_speculations = 0;
};

/// One function per instruction of bytecode.inc.
struct DSteps {
#define OP(name, operands, meaning) static void name(DRun& run, const DInstruction& i);
#include "dlang/compiler/bytecode.inc"
#undef OP
};

}  // namespace strut
