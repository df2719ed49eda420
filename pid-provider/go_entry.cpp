#include "pid-provider/go_entry.hpp"

namespace strut {

namespace {

constexpr unsigned kScratch = 12, kGoroutine = 14;
constexpr uint8_t kCompare = 0x3b, kLoad = 0x8b, kStore = 0x89, kLoadAddress = 0x8d;

/// cmp 0x10(%r14),REG; 0x18 in code that runs on the system's stack.
bool compares_with_bound(const Instruction& i) {
  bool is_field = i.has_memory() && i.rm() == kGoroutine && (i.displacement == 0x10 || i.displacement == 0x18);
  return i.is_legacy(OpcodeMap::One, kCompare) && is_field && i.wide();
}

/// Computes the lowest address of the frame: lea -N(%rsp),%r12, or mov %rsp,%r12 and sub $N,%r12.
bool computes_bound(const Instruction& i) {
  if (i.is_legacy(OpcodeMap::One, kLoadAddress) || (i.is_legacy(OpcodeMap::One, kLoad) && !i.has_memory()))
    return i.reg() == kScratch;
  if (i.has_memory() || i.rm() != kScratch) return false;
  bool subtracts = (i.is_legacy(OpcodeMap::One, 0x81) || i.is_legacy(OpcodeMap::One, 0x83)) && i.extension() == 5;
  return subtracts || i.is_legacy(OpcodeMap::One, kStore);
}

/// Whether what is there calls somebody and goes back to the beginning.
bool begins_again(const DecodedFunction& code, uint64_t at) {
  bool has_called = false;
  for (const Instruction* i = code.at(at); i; i = code.at(i->end())) {
    if (i->flow == Flow::Jump) return has_called && i->target() == code.parts[0].begin;
    if (i->flow != Flow::Next && i->flow != Flow::Call) return false;
    has_called = has_called || i->flow == Flow::Call;
  }
  return false;
}

}  // namespace

std::optional<uint64_t> behind_stack_check(const DecodedFunction& code) {
  uint64_t entry = code.parts[0].begin;
  std::optional<uint64_t> behind;
  bool has_compared = false;
  for (const Instruction* i = code.at(entry); i; i = code.at(i->end())) {
    if (i->address != entry && code.is_target(i->address)) break;
    if (i->flow == Flow::JumpIf && begins_again(code, i->target())) {
      // A very large frame may reach below address 0: that is asked first.
      if (has_compared) behind = i->end();
    } else if (compares_with_bound(*i)) {
      has_compared = true;
    } else if (!computes_bound(*i)) {
      break;
    }
  }
  return behind && code.at(*behind) && !code.is_target(*behind) ? behind : std::nullopt;
}

}  // namespace strut
