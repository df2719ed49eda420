#include "libcalls/modules/call_instructions.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include <elf.h>

#include "pid-provider/scanned_function.hpp"

namespace strut {

namespace {

constexpr uint8_t kCallBytes = 5, kCallByRipBytes = 6;

/// Targets by address: code, PLT stubs, and the words that those jump through.
class Places {
 public:
  struct Place {
    const Import* import;  ///< nullptr: code of the module itself
    bool is_word;
  };
  using All = std::unordered_multimap<uint64_t, Place>;

  void add(uint64_t address, Place place) {
    all_.emplace(address, place);
    low_ = std::min(low_, address);
    high_ = std::max(high_, address);
  }
  std::pair<All::const_iterator, All::const_iterator> at(uint64_t address) const {
    if (address < low_ || address > high_) return {all_.end(), all_.end()};
    return all_.equal_range(address);
  }

 private:
  All all_;
  uint64_t low_ = UINT64_MAX, high_ = 0;
};

/// Four bytes that could be a target are many fewer than instructions: only their functions are decoded.
void find_references(const ElfFile& file, const Section& section, const Places& places,
                     std::vector<CallReference>& to) {
  std::span<const std::byte> code = file.contents(section);
  int32_t distance;
  for (size_t at = 2; at + sizeof distance <= code.size(); at++) {
    std::memcpy(&distance, code.data() + at, sizeof distance);
    uint64_t end = section.address + at + sizeof distance, target = end + static_cast<uint64_t>(int64_t{distance});
    for (auto [found, last] = places.at(target); found != last; ++found) {
      const Places::Place& place = found->second;
      bool is_relative = !place.is_word && code[at - 1] == kCallRelative;
      bool is_by_word = place.is_word && code[at - 2] == kIndirect && code[at - 1] == kCallByRip;
      to.push_back({end, place.import, target, is_relative ? kCallBytes : is_by_word ? kCallByRipBytes : uint8_t{0}});
    }
  }
}

std::vector<CallReference> references_to(const CallModule& module, const Places& places) {
  std::vector<CallReference> references;
  for (const Section& section : module.elf().sections())
    if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS && !has_stubs(section))
      find_references(module.elf(), section, places, references);
  return references;
}

/// The length of the instruction that ends where the call does, from its opcode or from a prefix (addr32, bnd) on, and
/// returns to an instruction. 0: there is none.
uint8_t length_of_call(const InstructionStarts& function, const CallReference& call) {
  constexpr uint8_t kMaxPrefixes = 2;
  for (uint8_t length = call.call_bytes; length <= call.call_bytes + kMaxPrefixes; length++)
    if (function.length_at(call.end - length) == length) return function.length_at(call.end) != 0 ? length : 0;
  return 0;
}

void decode(CallReference& reference, SurroundingFunction& surrounding) {
  if (std::exchange(reference.is_decoded, true) || reference.call_bytes == 0) return;
  const InstructionStarts* function = surrounding.around(reference.end - reference.call_bytes);
  reference.call_bytes = function ? length_of_call(*function, reference) : uint8_t{0};
}

void add(const CallReference& reference, FoundCalls& to) {
  if (reference.call_bytes == 0) return void(to.unclear.insert(reference.import));
  to.calls.push_back(
      {reference.end - reference.call_bytes, reference.end, reference.import, reference.import ? 0 : reference.target});
}

void add_calls_of_imports(const CallModule& module, const CalledThings& things, FoundCalls& to) {
  SurroundingFunction surrounding(module.functions());
  for (CallReference& reference : module.references()) {
    if (!things.imports.contains(reference.import) || things.addresses.contains(reference.target)) continue;
    decode(reference, surrounding);
    add(reference, to);
  }
}

void add_calls_of_own(const CallModule& module, const CalledThings& things, FoundCalls& to) {
  Places places;
  for (uint64_t address : things.addresses) places.add(address, {nullptr, false});
  SurroundingFunction surrounding(module.functions());
  for (CallReference& reference : references_to(module, places)) {
    decode(reference, surrounding);
    add(reference, to);
  }
}

}  // namespace

std::vector<CallReference> references_to_imports(const CallModule& module) {
  Places places;
  for (const Import& import : module.imports()) places.add(import.slot, {&import, true});
  for (const PltStub& stub : module.file().plt())
    if (const Import* import = module.import_at(stub.got)) places.add(stub.address, {import, false});
  return references_to(module, places);
}

FoundCalls calls_of(const CallModule& module, const CalledThings& things) {
  FoundCalls calls;
  if (!things.imports.empty()) add_calls_of_imports(module, things, calls);
  if (!things.addresses.empty()) add_calls_of_own(module, things, calls);
  std::ranges::sort(calls.calls, {}, &CallInstruction::begins);
  return calls;
}

}  // namespace strut
