#include "pid-provider/undescribed_code.hpp"

#include <algorithm>

#include <elf.h>

#include "x86/scanner.hpp"

namespace strut {
namespace {

bool is_branch(const Scanned& i) { return i.flow == Flow::Jump || i.flow == Flow::JumpIf || i.flow == Flow::Call; }

/// lea takes an address without reading what is there.
bool only_takes_address(std::span<const std::byte> code, uint64_t address) {
  auto instruction = decode(code, address);
  return instruction && instruction->is_legacy(OpcodeMap::One, 0x8d);
}

bool is_code(const ElfFile& file, uint64_t address) {
  return std::ranges::any_of(file.segments(),
                             [&](const Segment& s) { return s.executable && address - s.address < s.file_bytes; });
}

/// The scanner's answer, or decode()'s where the scanner has none.
std::optional<Scanned> scan_or_decode(std::span<const std::byte> code, uint64_t address) {
  if (auto scanned = scan(code, address)) return scanned;
  auto i = decode(code, address);
  if (!i) return std::nullopt;
  Scanned made{address, 0, 0, i->length, i->flow, i->is_rip_relative()};
  if (is_branch(made)) made.target = i->target();
  if (made.is_rip_relative) made.rip_target = i->rip_target();
  return made;
}

/// The section of code, or without sections the segment, that has an address.
CodeRange bounds_of_code(const ElfFile& file, uint64_t address) {
  for (const Section& section : file.sections())
    if ((section.flags & SHF_EXECINSTR) && section.type != SHT_NOBITS && address - section.address < section.bytes)
      return {section.address, section.address + section.bytes};
  for (const Segment& segment : file.segments())
    if (segment.executable && address - segment.address < segment.file_bytes)
      return {segment.address, segment.address + segment.file_bytes};
  return {address, address};
}

}  // namespace

CodeRange UndescribedCode::range_around(uint64_t address) {
  const std::vector<RangeMap::Range>& described = bounds_.all();
  for (; passed_ < described.size() && described[passed_].low <= address; passed_++)
    reach_ = std::max(reach_, described[passed_].high);
  CodeRange code = bounds_of_code(file_, address);
  uint64_t next = passed_ < described.size() ? described[passed_].low : UINT64_MAX;
  return {std::max(code.begin, std::min(reach_, address)), std::min(code.end, next)};
}

std::vector<bool> UndescribedCode::beginnings(const CodeRange& range) const {
  auto code = file_.at_address(range.begin);
  code = code.first(std::min<size_t>(code.size(), range.end - range.begin));
  std::vector<bool> begins(code.size());
  std::vector<uint64_t> named;  // by the run's own code, in the run
  for (size_t at = 0; at < code.size();) {
    auto i = scan_or_decode(code.subspan(at), range.begin + at);
    if (!i) return {};
    if (is_branch(*i) && !is_code(file_, i->target)) return {};
    if (is_branch(*i) && range.contains(i->target)) named.push_back(i->target);
    if (i->is_rip_relative && range.contains(i->rip_target)) {
      if (!only_takes_address(code.subspan(at), range.begin + at)) return {};
      named.push_back(i->rip_target);
    }
    begins[at] = true;
    at += i->length;
  }
  bool is_sound = std::ranges::all_of(named, [&](uint64_t to) { return begins[to - range.begin]; });
  return is_sound ? begins : std::vector<bool>();
}

bool UndescribedCode::is_inside_instruction(uint64_t address) {
  if (!last_.range.contains(address)) {
    CodeRange range = range_around(address);
    last_ = {range, beginnings(range)};
  }
  uint64_t offset = address - last_.range.begin;
  return offset < last_.begins.size() && !last_.begins[offset];
}

}  // namespace strut
