#include "libcalls/modules/call_instructions.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <elf.h>

#include "pid-provider/scanned_function.hpp"

namespace strut {

namespace {

constexpr std::byte kCallRelative{0xe8}, kIndirect{0xff}, kCallByRip{0x15};

/// The wanted targets, by their places: code, PLT stubs, and the words that those jump through.
class Places {
 public:
  struct Place {
    const Import* import;  ///< nullptr: code of the module itself
    bool is_word;
  };
  Places(const CallModule& module, const CalledThings& things) {
    for (uint64_t address : things.addresses) add(address, {nullptr, false});
    for (const Import* import : things.imports) add(import->slot, {import, true});
    if (things.imports.empty()) return;
    for (const PltStub& stub : module.file().plt())
      if (const Import* import = module.import_at(stub.got); import && things.imports.contains(import))
        add(stub.address, {import, false});
  }
  /// nullptr: none of these is there.
  const Place* at(uint64_t address) const {
    if (address < low_ || address > high_) return nullptr;
    auto found = all_.find(address);
    return found == all_.end() ? nullptr : &found->second;
  }

 private:
  void add(uint64_t address, Place place) {
    all_.emplace(address, place);
    low_ = std::min(low_, address);
    high_ = std::max(high_, address);
  }
  std::unordered_map<uint64_t, Place> all_;
  uint64_t low_ = UINT64_MAX, high_ = 0;
};

/// Whether an instruction is there that ends where the call does, from its opcode or from a prefix (addr32, bnd) on,
/// and one that it returns to.
bool is_call(const InstructionStarts& function, CallInstruction& call) {
  constexpr uint64_t kMaxPrefixes = 2;
  for (uint64_t begin = call.begins, last = call.begins - kMaxPrefixes; begin >= last; begin--) {
    uint8_t length = function.length_at(begin);
    if (length == 0 || begin + length != call.returns_to) continue;
    call.begins = begin;
    return function.length_at(call.returns_to) != 0;
  }
  return false;
}

/// Four bytes that could be a target are many fewer than instructions: only their functions are decoded.
void find_calls(const CallModule& module, const Section& section, const Places& places, FoundCalls& to) {
  std::span<const std::byte> code = module.elf().contents(section);
  SurroundingFunction surrounding(module.functions());
  int32_t distance;
  for (size_t at = 2; at + sizeof distance <= code.size(); at++) {
    std::memcpy(&distance, code.data() + at, sizeof distance);
    uint64_t end = section.address + at + sizeof distance, target = end + static_cast<uint64_t>(int64_t{distance});
    const Places::Place* place = places.at(target);
    if (!place) continue;
    bool is_relative = !place->is_word && code[at - 1] == kCallRelative;
    bool is_by_word = place->is_word && code[at - 2] == kIndirect && code[at - 1] == kCallByRip;
    CallInstruction call{section.address + at - (is_relative ? 1 : 2), end, place->import, place->import ? 0 : target};
    const InstructionStarts* function = is_relative || is_by_word ? surrounding.around(call.begins) : nullptr;
    if (function && is_call(*function, call)) to.calls.push_back(call);
    else to.unclear.insert(call.import);
  }
}

}  // namespace

FoundCalls calls_of(const CallModule& module, const CalledThings& things) {
  FoundCalls calls;
  if (things.empty()) return calls;
  Places places(module, things);
  for (const Section& section : module.elf().sections())
    if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS && !has_stubs(section))
      find_calls(module, section, places, calls);
  return calls;
}

}  // namespace strut
