#include "calls/call_instructions.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <elf.h>

#include "pid-provider/control_flow.hpp"

namespace strut {

namespace {

constexpr std::byte kCallRelative{0xe8}, kIndirect{0xff}, kCallByRip{0x15};

/// What the bytes at an address would call if they were an instruction.
std::optional<CallInstruction> call_at(const CallModule& module, uint64_t address, std::span<const std::byte> code) {
  if (code[0] != kCallRelative && (code[0] != kIndirect || code[1] != kCallByRip)) return std::nullopt;
  size_t opcode_bytes = code[0] == kCallRelative ? 1 : 2;
  int32_t distance;
  if (code.size() < opcode_bytes + sizeof distance) return std::nullopt;
  std::memcpy(&distance, code.data() + opcode_bytes, sizeof distance);
  CallInstruction call{address, address + opcode_bytes + sizeof distance, nullptr, 0};
  uint64_t target = call.returns_to + static_cast<uint64_t>(int64_t{distance});
  if (code[0] == kIndirect) {
    call.import = module.import_at(target);
    return call.import ? std::optional(call) : std::nullopt;
  }
  call.import = module.stub_at(target);
  if (!call.import) call.address = target;
  return call;
}

bool is_among(const CalledThings& things, const CallInstruction& call) {
  return call.import ? things.imports.contains(call.import) : things.addresses.contains(call.address);
}

/// Stubs of imports and the words that those jump through: whatever leads to them.
class WaysTo {
 public:
  WaysTo(const CallModule& module, const CalledThings& things) {
    for (const Import* import : things.imports) add(import->slot, import);
    for (const PltStub& stub : things.imports.empty() ? std::span<const PltStub>{} : std::span(module.file().plt()))
      if (const Import* import = module.import_at(stub.got); import && things.imports.contains(import)) add(stub.address, import);
  }
  /// What four bytes of an instruction that ends with them lead to; nullptr: none of these.
  const Import* led_to(uint64_t address, std::span<const std::byte> code) const {
    int32_t distance;
    if (code.size() < sizeof distance) return nullptr;
    std::memcpy(&distance, code.data(), sizeof distance);
    uint64_t target = address + sizeof distance + static_cast<uint64_t>(int64_t{distance});
    if (target < low_ || target > high_) return nullptr;
    auto found = all_.find(target);
    return found == all_.end() ? nullptr : found->second;
  }

 private:
  void add(uint64_t address, const Import* import) {
    all_.emplace(address, import);
    low_ = std::min(low_, address);
    high_ = std::max(high_, address);
  }
  std::unordered_map<uint64_t, const Import*> all_;
  uint64_t low_ = UINT64_MAX, high_ = 0;
};

/// Bytes that could be such a call are many fewer than instructions: only their functions are decoded.
void find_calls(const CallModule& module, const Section& section, const CalledThings& things, FoundCalls& to) {
  std::span<const std::byte> code = module.elf().contents(section);
  WaysTo ways(module, things);
  CodeRange decoded;
  DecodedFunction function;
  uint64_t said = 0;  // where the last call says what it calls
  for (size_t at = 0; at + 1 < code.size(); at++) {
    if (const Import* import = ways.led_to(section.address + at, code.subspan(at)); import && section.address + at != said)
      to.unclear.insert(import);
    auto call = call_at(module, section.address + at, code.subspan(at));
    if (!call || !is_among(things, *call)) continue;
    said = call->returns_to - sizeof(int32_t);
    auto range = module.functions().range_around(section.address + at);
    if (!range) {
      to.unclear.insert(call->import);
      continue;
    }
    if (*range != decoded) function = decode_function(module.functions(), *range);
    decoded = *range;
    // It may have prefixes (addr32, bnd), and what it is behind may be data.
    auto ends_there = [&](const Instruction& one) { return one.end() == call->returns_to; };
    bool is_call = false;
    for (uint64_t begin = section.address + at, most = 3; most > 0 && !is_call; begin--, most--)
      if (const Instruction* found = function.at(begin)) is_call = ends_there(*found), call->begins = begin;
    if (is_call && function.at(call->returns_to)) to.calls.push_back(*call);
    else to.unclear.insert(call->import);
  }
}

}  // namespace

FoundCalls calls_of(const CallModule& module, const CalledThings& things) {
  FoundCalls calls;
  if (things.empty()) return calls;
  for (const Section& section : module.elf().sections())
    if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS && !has_stubs(section))
      find_calls(module, section, things, calls);
  return calls;
}

}  // namespace strut
