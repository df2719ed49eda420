#include "calls/call_instructions.hpp"

#include <cstring>

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
  CallInstruction call{address + opcode_bytes + sizeof distance, nullptr, 0};
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

/// Bytes that could be such a call are many fewer than instructions: only their functions are decoded.
void find_calls(const CallModule& module, const Section& section, const CalledThings& things,
                FoundCalls& to) {
  std::span<const std::byte> code = module.elf().contents(section);
  CodeRange decoded;
  DecodedFunction function;
  for (size_t at = 0; at + 1 < code.size(); at++) {
    auto call = call_at(module, section.address + at, code.subspan(at));
    if (!call || !is_among(things, *call)) continue;
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
      if (const Instruction* found = function.at(begin)) is_call = ends_there(*found);
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
