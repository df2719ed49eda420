#include "pid-provider/points.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <elf.h>

#include "pid-provider/go_entry.hpp"
#include "pid-provider/jumps_between.hpp"
#include "pid-provider/label_choice.hpp"
#include "pid-provider/line_points.hpp"
#include "pid-provider/scanned_function.hpp"
#include "symtab/elf/address_words.hpp"
#include "x86/instruction_arguments.hpp"
#include "x86/instruction_labels.hpp"
#include "x86/repeated.hpp"

namespace strut {
namespace {

std::string_view why(Doubt::Why reason) {
  switch (reason) {
    case Doubt::Why::Undecodable: return "the bytes are no instruction";
    case Doubt::Why::Data: return "the function uses the bytes as data";
    case Doubt::Why::Crossed: break;
  }
  return "control arrives in the middle of it";
}

/// `mnemonic` may be empty.
std::string offset_name(uint64_t offset, std::string_view mnemonic) {
  return mnemonic.empty() ? hexadecimal(offset) : std::string(mnemonic) + '-' + hexadecimal(offset);
}

Complaint too_many(const ProbeLimits& limits) {
  return {"D_PROC_CREATEFAIL", ProbeField::Name,
          "more than " + std::to_string(limits.max_probes) +
              " probes are asked for: narrow the description, or allow more with -x maxprobes="};
}

/// Adds probes of functions one by one, as long as there may be more.
class Adding {
 public:
  Adding(const ModuleFunctions& functions, const PidPattern& pattern, const ProbeLimits& limits, ProbeList& list)
      : functions_(functions),
        pattern_(pattern),
        limits_(limits),
        list_(list),
        labels_(pattern),
        by_pattern_(pattern.function.empty() || is_glob(pattern.function)) {}

  std::expected<void, Complaint> run() {
    auto is_asked_for = [this](const Function& f) { return by_pattern_ ? fits(f) : is_named(f); };
    list_.misplaced += static_cast<size_t>(std::ranges::count_if(functions_.misplaced(), is_asked_for));
    for (const Function& function : functions_.all()) {
      if (is_full_) break;
      if (is_asked_for(function)) add(function);
    }
    if (!is_full_) return {};
    return std::unexpected(too_many(limits_));
  }

 private:
  bool fits(const Function& function) const {
    if (function.name == "_init" || function.name == "_fini") return false;
    if (wants_labels()) return labels_.may_fit(function.name);
    return pattern_.function.empty() || glob_matches(pattern_.function, function.name);
  }

  bool is_named(const Function& function) const {
    return wants_labels() ? labels_.may_fit(function.name) : function.name == pattern_.function;
  }

  bool wants_labels() const { return pattern_.place == PidPattern::Place::Instructions; }

  void add(const Function& function) {
    if (function.kind != Function::Kind::Ifunc) return add(function, function.range);
    auto chosen = implementations_of(functions_, function.range);
    for (const CodeRange& range : chosen) add(function, range);
    if (chosen.empty() && !by_pattern_)
      refuse(function, "it is chosen at run time, among functions that its resolver does not show");
  }

  void add(const Function& function, const CodeRange& range) {
    if (by_pattern_ && taken_.contains(range.begin)) return;
    if (by_pattern_ && !wants_labels()) taken_.insert(range.begin);
    bool is_entry = pattern_.place == PidPattern::Place::Entry;
    DecodedFunction code = is_entry ? decode_entry(functions_, range) : decode_function(functions_, range);
    if (code.instructions.empty() || !code.at(range.begin)) return refuse(function, "its code cannot be decoded");
    list_.functions.push_back({function.name, range});
    size_t before = list_.probes.size(), refused = list_.refused.size();
    add_places(function, code);
    if (list_.probes.size() != before) taken_.insert(range.begin);
    else if (list_.refused.size() == refused) list_.functions.pop_back();
  }

  void add_places(const Function& function, const DecodedFunction& code) {
    switch (pattern_.place) {
      case PidPattern::Place::Entry: add_entry(function, code); return;
      case PidPattern::Place::Return: add_return(function, code); return;
      case PidPattern::Place::Offset: add_offset(function, code); return;
      case PidPattern::Place::Instructions: add_labelled(function, code); return;
      case PidPattern::Place::Absolute:
      case PidPattern::Place::Line:
      case PidPattern::Place::Usdt: return;
      case PidPattern::Place::Matching: break;
    }
    if (named("entry")) add_entry(function, code);
    if (named("return")) add_return(function, code);
    for (const Instruction& i : code.instructions) {
      if (!code.parts[0].contains(i.address) || is_full_) continue;
      uint64_t offset = i.address - code.parts[0].begin;
      if (pattern_.name.empty() || named(offset_name(offset, mnemonic_in_name(i)))) add_instruction(i, offset);
    }
  }

  /// A probe for each of an instruction's labels that fits.
  void add_labelled(const Function& function, const DecodedFunction& code) {
    labels_.begin(function.name);
    size_t before = list_.probes.size();
    for (const Instruction& i : code.instructions) {
      uint64_t offset = i.address - code.parts[0].begin;
      if (!code.parts[0].contains(i.address) || (!pattern_.name.empty() && !named(hexadecimal(offset)))) continue;
      add_labels(i, offset);
    }
    if (by_pattern_ || list_.probes.size() != before) return;
    auto [name, label] = instruction_field(pattern_.function);
    std::string where = pattern_.name.empty() || is_glob(pattern_.name) ? "" : " at offset 0x" + pattern_.name;
    refuse(function, "it has no instruction '" + std::string(label) + "'" + where);
  }

  /// The probes of one instruction share the row of its arguments.
  void add_labels(const Instruction& i, uint64_t offset) {
    std::optional<uint32_t> row;
    for (std::string_view label : labels_of(i)) {
      if (!labels_.fits(label) || !begin_probe(PidProbe::Kind::Instruction, offset, label)) continue;
      if (!row) row = arguments_row(i);
      add_site(i, place_on(i));
      list_.sites.back().arguments = *row;
    }
  }

  /// Most instructions have none: they share the first row.
  uint32_t arguments_row(const Instruction& i) {
    if (list_.arguments.empty()) list_.arguments.emplace_back();
    auto arguments = instruction_arguments(i);
    if (arguments.empty()) return 0;
    list_.arguments.push_back(std::move(arguments));
    return static_cast<uint32_t>(list_.arguments.size() - 1);
  }

  std::string_view mnemonic_in_name(const Instruction& i) const {
    return pattern_.has_mnemonics ? shown_mnemonic(i) : std::string_view();
  }

  bool named(std::string_view name) const { return pattern_.name.empty() || glob_matches(pattern_.name, name); }

  bool begin_probe(PidProbe::Kind kind, uint64_t offset, std::string_view label = {}) {
    is_full_ = list_.probes.size() >= limits_.max_probes;
    if (is_full_) return false;
    list_.probes.push_back({static_cast<uint32_t>(list_.functions.size() - 1), kind, offset,
                            static_cast<uint32_t>(list_.sites.size()), 0, label});
    return true;
  }

  void add_site(const Instruction& i, std::expected<UprobePlace, UprobeRefusal> uprobe, ReturnSite::Kind kind = {},
                uint8_t condition = kNoCondition) {
    if (condition == kNoCondition) condition = repetition_of(i);
    list_.sites.push_back(
        {i.address, functions_.file().offset_of_address(i.address).value_or(0), kind, condition, 0, uprobe});
    list_.probes.back().sites++;
  }

  void add_entry(const Function& function, const DecodedFunction& code) {
    if (function.kind == Function::Kind::ColdPart)
      return refuse(function,
                    "it is a part of " + std::string(owner_of_cold_part(function.name)) + " and is not called");
    if (begin_probe(PidProbe::Kind::Entry, 0))
      add_site(*code.at(entry_of(functions_, code)), uprobe_entry_among(functions_, code));
  }

  void add_return(const Function& function, const DecodedFunction& code) {
    if (function.kind == Function::Kind::ColdPart)
      return refuse(function,
                    "it is a part of " + std::string(owner_of_cold_part(function.name)) + " and does not return");
    if (code.returns.empty()) return refuse(function, "it never returns, as far as its code says");
    if (!begin_probe(PidProbe::Kind::Return, 0)) return;
    for (const ReturnSite& site : code.returns)
      if (const Instruction* i = code.at(site.address)) add_site(*i, place_on(*i), site.kind, site.condition);
  }

  void add_offset(const Function& function, const DecodedFunction& code) {
    const CodeRange& range = code.parts[0];
    std::string offset = "offset 0x" + hexadecimal(pattern_.number);
    if (pattern_.number >= range.end - range.begin)
      return refuse(function, offset + " is outside of the function", "D_PROC_OFF");
    uint64_t address = range.begin + pattern_.number;
    if (const Instruction* i = code.at(address)) {
      if (pattern_.name.empty() || pattern_.name == shown_mnemonic(*i)) return add_instruction(*i, pattern_.number);
      return refuse(function, offset + " is no " + pattern_.name + " but " + std::string(shown_mnemonic(*i)));
    }
    for (const Doubt& doubt : code.doubts)
      if (doubt.range.begin == address)
        return refuse(function, offset + ": " + std::string(why(doubt.why)), "D_PROC_OFF");
    refuse(function, offset + " is not aligned on an instruction", "D_PROC_ALIGN");
  }

  void add_instruction(const Instruction& i, uint64_t offset) {
    if (begin_probe(PidProbe::Kind::Offset, offset, mnemonic_in_name(i))) add_site(i, place_on(i));
  }

  void refuse(const Function& function, std::string reason, std::string_view tag = "D_PROC_FUNC") {
    if (by_pattern_ && function.kind == Function::Kind::ColdPart) return;
    list_.refused.push_back({tag, tag == "D_PROC_FUNC" ? ProbeField::Function : ProbeField::Name,
                             std::string(function.name) + ": " + std::move(reason)});
  }

  const ModuleFunctions& functions_;
  const PidPattern& pattern_;
  const ProbeLimits& limits_;
  ProbeList& list_;
  LabelChoice labels_;
  bool by_pattern_;
  bool is_full_ = false;
  std::unordered_set<uint64_t> taken_;
};

}  // namespace

std::vector<CodeRange> implementations_of(const ModuleFunctions& functions, const CodeRange& resolver) {
  std::vector<CodeRange> found;
  for (const Instruction& i : decode_function(functions, resolver).instructions) {
    if (!i.is_rip_relative()) continue;
    // The address of a function that others may replace is loaded from a word.
    std::optional<uint64_t> address = i.rip_target();
    if (i.operation != Operation::LoadAddress) address = functions.address_words().at(i.rip_target());
    auto range = address ? functions.beginning_at(*address) : std::nullopt;
    if (range && std::ranges::find(found, *range) == found.end()) found.push_back(*range);
  }
  return found;
}

uint64_t entry_of(const ModuleFunctions& functions, const DecodedFunction& code) {
  auto behind = functions.is_go() ? behind_stack_check(code) : std::nullopt;
  return behind.value_or(code.parts[0].begin);
}

std::expected<UprobePlace, UprobeRefusal> uprobe_entry_among(const ModuleFunctions& functions,
                                                             const DecodedFunction& code) {
  uint64_t entry = code.parts[0].begin;
  // Go's arguments are in other registers than those that a probe may not pass.
  if (functions.is_go()) return place_on(*code.at(entry_of(functions, code)));
  auto place = uprobe_entry(code);
  if (!place || place->address == entry) return place;
  bool is_shared =
      functions.begins(place->address) || functions.jumps_between().reach_into(code.parts[0], place->address);
  return is_shared ? place_on(*code.at(entry)) : place;
}

std::string ProbeList::name_of(const PidProbe& probe) const {
  switch (probe.kind) {
    case PidProbe::Kind::Entry: return "entry";
    case PidProbe::Kind::Return: return "return";
    case PidProbe::Kind::Instruction: return hexadecimal(probe.offset);
    case PidProbe::Kind::Line: return lines[probe.offset];
    case PidProbe::Kind::Offset: break;
  }
  return offset_name(probe.offset, probe.label);
}

std::expected<void, Complaint> add_probes(const ModuleFunctions& functions, const PidPattern& pattern,
                                          const ProbeLimits& limits, ProbeList& list) {
  if (functions.file().machine() != EM_X86_64)
    return std::unexpected(Complaint{"D_PROC_LIB", ProbeField::Module, "it is not 64-bit x86 code"});
  if (pattern.place != PidPattern::Place::Line) return Adding(functions, pattern, limits, list).run();
  if (!add_lines(functions, pattern, limits, list)) return std::unexpected(too_many(limits));
  return {};
}

std::expected<void, Complaint> add_probe_at(const ModuleFunctions& functions, uint64_t address, ProbeList& list) {
  auto complain = [&](std::string_view tag, std::string reason) {
    return std::unexpected(Complaint{tag, ProbeField::Name, "0x" + hexadecimal(address) + ": " + std::move(reason)});
  };
  auto range = functions.range_around(address);
  if (!range) return complain("D_PROC_OFF", "no function has this address");
  DecodedFunction code = decode_function(functions, *range);
  const Instruction* i = code.at(address);
  if (!i) return complain("D_PROC_ALIGN", "no instruction begins here");
  list.functions.push_back({"-", *range});
  auto function = static_cast<uint32_t>(list.functions.size() - 1), site = static_cast<uint32_t>(list.sites.size());
  list.probes.push_back({function, PidProbe::Kind::Offset, address - range->begin, site, 1, {}});
  uint64_t file_offset = functions.file().offset_of_address(address).value_or(0);
  list.sites.push_back({address, file_offset, {}, repetition_of(*i), 0, place_on(*i)});
  return {};
}

}  // namespace strut
