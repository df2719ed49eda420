#include "pid-provider/control_flow.hpp"

#include <algorithm>

#include "pid-provider/jump_table.hpp"
#include "pid-provider/stack_depth.hpp"

namespace strut {
namespace {

constexpr size_t kMaxParts = 64;

/// A stretch of code, decoded from its beginning to its end as if it were nothing but instructions.
struct Part {
  CodeRange range;
  std::vector<Instruction> code;
  std::vector<CodeRange> bad;  ///< bytes between instructions
  std::vector<StackDepth> depth;
  std::vector<bool> reached;
  std::vector<bool> doubted;

  /// The last instruction that begins at or below an address; code.size(): none.
  size_t below(uint64_t address) const {
    auto above = std::ranges::upper_bound(code, address, {}, &Instruction::address);
    return above == code.begin() ? code.size() : static_cast<size_t>(above - code.begin()) - 1;
  }
};

Part sweep(const ElfFile& file, CodeRange range) {
  auto bytes = file.at_address(range.begin);
  bytes = bytes.first(std::min<size_t>(bytes.size(), range.end - range.begin));
  Part part{{range.begin, range.begin + bytes.size()}, {}, {}, {}, {}, {}};
  part.code.reserve(bytes.size() / 4);
  for (size_t at = 0; at < bytes.size();) {
    if (auto instruction = decode(bytes.subspan(at), range.begin + at)) {
      part.code.push_back(*instruction);
      at += instruction->length;
    } else {
      uint64_t address = range.begin + at++;
      if (!part.bad.empty() && part.bad.back().end == address) part.bad.back().end++;
      else part.bad.push_back({address, address + 1});
    }
  }
  part.depth.resize(part.code.size());
  part.reached.resize(part.code.size());
  part.doubted.resize(part.code.size());
  return part;
}

struct Place {
  size_t part, index;
};

/// Follows control from the entry; unreached code is looked at afterwards: landing pads of exceptions, code after calls
/// through tables, or data.
class FlowWalk {
 public:
  FlowWalk(const ModuleFunctions& functions, const CodeRange& range) : functions_(functions) { add_part(range); }

  DecodedFunction run() {
    if (!parts_[0].code.empty() && parts_[0].code[0].address == parts_[0].range.begin) arrive({0, 0}, StackDepth{});
    follow();
    for (size_t part = 0; part < parts_.size(); part++) doubt_data(part);
    is_guessing_ = true;
    for (size_t part = 0; part < parts_.size(); part++) visit_unreached(part);
    return collect();
  }

 private:
  void add_part(const CodeRange& range) { parts_.push_back(sweep(functions_.file(), range)); }

  /// For overlapping ranges (symbols are unreliable) a byte belongs to the first that was added.
  bool add_part_around(uint64_t address) {
    auto range = functions_.nameless_part(address);
    if (!range || parts_.size() >= kMaxParts) return false;
    for (const Part& part : parts_) {
      if (part.range.begin > address) range->end = std::min(range->end, part.range.begin);
      else range->begin = std::max(range->begin, part.range.end);
    }
    add_part(*range);
    return true;
  }

  /// The part of the function that has an address; parts_.size(): none.
  size_t part_of(uint64_t address) const {
    auto found = std::ranges::find_if(parts_, [&](const Part& p) { return p.range.contains(address); });
    return static_cast<size_t>(found - parts_.begin());
  }

  bool is_own(uint64_t address) const {
    size_t part = part_of(address);
    if (part == parts_.size()) return functions_.in_cold_part(address);
    size_t index = parts_[part].below(address);
    return index < parts_[part].code.size() && parts_[part].code[index].address == address;
  }

  void arrive(Place place, const StackDepth& depth) {
    Part& part = parts_[place.part];
    if (is_guessing_ && part.doubted[place.index]) return;
    if (part.reached[place.index]) {
      if (is_guessing_) return;  // padding that runs into code says nothing about it
      StackDepth both = agreed(part.depth[place.index], depth);
      if (both == part.depth[place.index]) return;
      part.depth[place.index] = both;
    } else {
      part.reached[place.index] = true;
      part.depth[place.index] = depth;
    }
    pending_.push_back(place);
  }

  /// Control arrives at an address of a part.
  void arrive_at(size_t part_index, uint64_t address, const StackDepth& depth) {
    const Part& part = parts_[part_index];
    size_t index = part.below(address);
    if (index == part.code.size()) return;
    const Instruction& instruction = part.code[index];
    targets_.push_back(address);
    if (instruction.address == address) return arrive({part_index, index}, depth);
    if (address >= instruction.end()) return;  // into bytes that are no instruction
    // Behind a lock prefix: jumped over where there is one thread only.
    if (instruction.lock && address == instruction.address + 1) return arrive({part_index, index}, depth);
    crossed_.push_back({instruction.address, instruction.end()});
  }

  void follow() {
    while (!pending_.empty()) {
      Place place = pending_.back();
      pending_.pop_back();
      step(place);
    }
  }

  void step(Place place) {
    const Instruction instruction = parts_[place.part].code[place.index];
    StackDepth before = parts_[place.part].depth[place.index];
    StackDepth after = depth_after(instruction, before);
    switch (instruction.flow) {
      case Flow::Jump: jump(instruction, before); return;
      case Flow::JumpIf: jump(instruction, before); break;
      case Flow::JumpIndirect: jump_indirect(place, before); return;
      case Flow::Return: note_return(instruction, ReturnSite::Kind::Return); return;
      case Flow::Far:
      case Flow::Stop: return;
      case Flow::Next:
      case Flow::Call:
      case Flow::CallIndirect:
      case Flow::Trap: break;
    }
    const Part& part = parts_[place.part];
    size_t next = place.index + 1;
    if (next < part.code.size() && part.code[next].address == instruction.end()) arrive({place.part, next}, after);
    else if (next == part.code.size()) run_out(place, after);
  }

  /// A call at the end does not return; unreached bytes may be padding.
  void run_out(Place place, const StackDepth& after) {
    const Instruction& last = parts_[place.part].code[place.index];
    bool goes_on = last.flow == Flow::Next || last.flow == Flow::JumpIf;
    runs_out_ = runs_out_ || (goes_on && !is_guessing_ && after.stack == 0 && comes_to_function(last.end()));
  }

  /// Through padding, too: nothing but nops.
  bool comes_to_function(uint64_t address) const {
    constexpr int kMaxNops = 16;
    for (int left = kMaxNops; left > 0 && !is_beginning(address); left--) {
      auto nop = decode(functions_.file().at_address(address), address);
      if (!nop || nop->operation != Operation::Nop) return false;
      address = nop->end();
    }
    return is_beginning(address);
  }

  /// Code of a function, or nameless code that .eh_frame describes like one: strcasecmp of a C library with separate
  /// symbols ends in another implementation.
  bool is_beginning(uint64_t address) const {
    if (functions_.begins(address)) return true;
    auto nameless = functions_.in_cold_part(address) ? std::nullopt : functions_.nameless_part(address);
    return nameless && nameless->begin == address;
  }

  void jump(const Instruction& instruction, const StackDepth& depth) {
    uint64_t target = instruction.target();
    size_t part = part_of(target);
    if (part < parts_.size()) {
      // To its own entry with nothing on the stack: it calls itself by a jump, or loops. Seen from outside it is the
      // same call.
      return arrive_at(part, target, depth);
    }
    if (goes_on_at(target, depth)) {
      if (add_part_around(target)) arrive_at(parts_.size() - 1, target, depth);
      return;
    }
    note_return(instruction,
                instruction.flow == Flow::Jump ? ReturnSite::Kind::TailJump : ReturnSite::Kind::TailJumpIf);
  }

  /// True if a jump there does not leave the function. A name decides where there is one (hand-written code may share
  /// another function's end), else whether anything of the function is on the stack.
  bool goes_on_at(uint64_t target, const StackDepth& depth) const {
    if (functions_.begins(target)) return false;
    if (functions_.in_cold_part(target)) return true;
    return depth.stack && *depth.stack != 0 && functions_.nameless_part(target);
  }

  void jump_indirect(Place place, const StackDepth& depth) {
    const Instruction instruction = parts_[place.part].code[place.index];
    if (depth.stack == 0 && jumps_through_pointer(parts_[place.part].code, place.index))
      return note_return(instruction, ReturnSite::Kind::TailJumpIndirect);
    auto own =
        jump_targets(functions_.file(), parts_[place.part].code, place.index, [this](uint64_t a) { return is_own(a); });
    for (uint64_t target : own) {
      size_t part = part_of(target);
      if (part == parts_.size()) add_part_around(target);
      if (part < parts_.size()) arrive_at(part, target, depth);
    }
    if (!own.empty()) return;
    if (depth.stack == 0) note_return(instruction, ReturnSite::Kind::TailJumpIndirect);
    else unknown_jumps_.push_back(instruction.address);
  }

  /// Once per instruction: a path that arrives later with another depth may change its classification.
  void note_return(const Instruction& instruction, ReturnSite::Kind kind) {
    auto known = std::ranges::find(returns_, instruction.address, &ReturnSite::address);
    if (known == returns_.end()) returns_.push_back({instruction.address, kind, condition_of(instruction)});
  }

  /// Bytes that the function's code reads or takes the address of, and that control does not reach, up to the next
  /// reached byte.
  void doubt_data(size_t part_index) {
    for (const Part& from : parts_)
      for (size_t i = 0; i < from.code.size(); i++)
        if (from.reached[i] && from.code[i].is_rip_relative())
          doubt_from(parts_[part_index], from.code[i].rip_target());
  }

  void doubt_from(Part& part, uint64_t address) {
    if (!part.range.contains(address)) return;
    for (size_t i = part.below(address); i < part.code.size() && !part.reached[i]; i++) part.doubted[i] = true;
  }

  /// Runs of instructions between reached ones: code, unless something in them says otherwise.
  void visit_unreached(size_t part_index) {
    for (size_t i = 0; i < parts_[part_index].code.size(); i++) {
      if (parts_[part_index].reached[i] || parts_[part_index].doubted[i]) continue;
      size_t end = end_of_run(parts_[part_index], i);
      if (has_bad_bytes(parts_[part_index], i, end)) {
        for (size_t k = i; k < end; k++) parts_[part_index].doubted[k] = true;
      } else {
        arrive({part_index, i}, StackDepth{std::nullopt, std::nullopt});
        follow();
      }
    }
  }

  static size_t end_of_run(const Part& part, size_t begin) {
    size_t end = begin;
    while (end < part.code.size() && !part.reached[end] && !part.doubted[end]) end++;
    return end;
  }

  static bool has_bad_bytes(const Part& part, size_t begin, size_t end) {
    uint64_t low = part.code[begin].address, high = part.code[end - 1].end();
    return std::ranges::any_of(part.bad, [&](const CodeRange& bad) { return bad.end >= low && bad.begin <= high; });
  }

  bool jumps_to_part(const ReturnSite& site) const {
    if (site.kind != ReturnSite::Kind::TailJump && site.kind != ReturnSite::Kind::TailJumpIf) return false;
    const Part& part = parts_[part_of(site.address)];
    return part_of(part.code[part.below(site.address)].target()) < parts_.size();
  }

  DecodedFunction collect() {
    DecodedFunction made;
    for (const Part& part : parts_) {
      made.parts.push_back(part.range);
      for (size_t i = 0; i < part.code.size(); i++) collect(made, part, i);
      for (const CodeRange& bad : part.bad) made.doubts.push_back({bad, Doubt::Why::Undecodable});
    }
    for (const CodeRange& range : crossed_) made.doubts.push_back({range, Doubt::Why::Crossed});
    made.has_unknown_jump = !unknown_jumps_.empty();
    made.runs_out = runs_out_;
    made.returns = std::move(returns_);
    std::erase_if(made.returns, [&](const ReturnSite& site) {
      return site.kind == ReturnSite::Kind::TailJumpIndirect &&
             std::ranges::find(unknown_jumps_, site.address) != unknown_jumps_.end();
    });
    // A nameless part may have been jumped to before another jump showed that it belongs here.
    std::erase_if(made.returns, [&](const ReturnSite& site) { return jumps_to_part(site); });
    std::ranges::sort(made.returns, {}, &ReturnSite::address);
    std::ranges::sort(made.instructions, {}, &Instruction::address);
    std::ranges::sort(targets_);
    targets_.erase(std::ranges::unique(targets_).begin(), targets_.end());
    made.targets = std::move(targets_);
    return made;
  }

  void collect(DecodedFunction& made, const Part& part, size_t i) const {
    const Instruction& instruction = part.code[i];
    bool is_crossed = std::ranges::find(crossed_, instruction.address, &CodeRange::begin) != crossed_.end();
    bool is_data = part.doubted[i] && !part.reached[i];
    if (is_data) made.doubts.push_back({{instruction.address, instruction.end()}, Doubt::Why::Data});
    if (is_data || is_crossed) return;
    made.instructions.push_back(instruction);
    if (instruction.flow == Flow::Call || instruction.flow == Flow::CallIndirect) made.has_call = true;
    if (instruction.operation == Operation::SystemCall || instruction.flow == Flow::Trap) made.has_system_call = true;
  }

  const ModuleFunctions& functions_;
  std::vector<Part> parts_;
  std::vector<Place> pending_;
  bool is_guessing_ = false;  ///< looking at code that control was not seen to reach
  bool runs_out_ = false;
  std::vector<ReturnSite> returns_;
  std::vector<uint64_t> targets_, unknown_jumps_;
  std::vector<CodeRange> crossed_;
};

}  // namespace

const Instruction* DecodedFunction::at(uint64_t address) const {
  auto found = std::ranges::lower_bound(instructions, address, {}, &Instruction::address);
  return found == instructions.end() || found->address != address ? nullptr : &*found;
}

bool DecodedFunction::is_target(uint64_t address) const { return std::ranges::binary_search(targets, address); }

DecodedFunction decode_function(const ModuleFunctions& functions, const CodeRange& range) {
  return FlowWalk(functions, range).run();
}

}  // namespace strut
