#include "pid-provider/line_points.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "x86/repeated.hpp"

namespace strut {
namespace {

/// A line's beginning, in its function.
struct LinePlace {
  const Function* function;
  std::string_view function_name;  ///< as it was asked for
  uint32_t line;
  std::string name;
  uint64_t address;
};

bool is_executable_at(const ElfFile& file, uint64_t address) {
  return std::ranges::any_of(file.segments(), [&](const Segment& s) {
    return s.executable && address >= s.address && address - s.address < s.file_bytes;
  });
}

class AddingLines {
 public:
  AddingLines(const ModuleFunctions& functions, const PidPattern& pattern, const ProbeLimits& limits, ProbeList& list)
      : functions_(functions), pattern_(pattern), limits_(limits), list_(list) {}

  bool run() {
    std::vector<LinePlace> places = find();
    for (size_t i = 0; i < places.size(); i++) {
      const LinePlace& place = places[i];
      bool is_new_function = i == 0 || places[i - 1].function->range.begin != place.function->range.begin;
      bool is_new = is_new_function || places[i - 1].name != place.name;
      if (is_new_function) begin_function(place);
      const Instruction* instruction = at(place);
      if (instruction == nullptr) {
        refuse(place, "no instruction begins there, as far as the function's code says");
        if (!is_new) continue;
      }
      if (is_new && !begin_probe(place)) return false;
      if (instruction != nullptr) add_site(*instruction);
    }
    std::erase_if(list_.probes,
                  [](const PidProbe& probe) { return probe.kind == PidProbe::Kind::Line && probe.sites == 0; });
    return true;
  }

 private:
  /// By function, line and address.
  std::vector<LinePlace> find() {
    std::vector<LinePlace> places;
    for (const LineStart& start : lines_of(functions_, pattern_).starts) {
      std::string name = std::string(source_name(pattern_.file, start.path)) + '@' + std::to_string(start.line);
      LinePlace place{owner_at(start.address), {}, start.line, std::move(name), start.address};
      if (place.function == nullptr) {
        if (pattern_.function.empty()) refuse(place, "no function has this address");
        continue;
      }
      place.function_name = fitting_name(*place.function);
      if (!place.function_name.empty()) places.push_back(std::move(place));
    }
    auto key = [](const LinePlace& p) { return std::tie(p.function->range.begin, p.name, p.line, p.address); };
    std::ranges::sort(places, [&](const LinePlace& a, const LinePlace& b) { return key(a) < key(b); });
    return places;
  }

  const Function* owner_at(uint64_t address) const {
    const Function* function = functions_.around(address);
    if (function == nullptr || function->kind != Function::Kind::ColdPart) return function;
    const Function* owner = functions_.named(owner_of_cold_part(function->name));
    return owner != nullptr ? owner : function;
  }

  /// The first of the function's names that was asked for; empty: none was.
  std::string_view fitting_name(const Function& function) const {
    for (const Function* name = &function; name < functions_.all().data() + functions_.all().size(); name++) {
      if (name->range.begin != function.range.begin) break;
      if (pattern_.function.empty() || glob_matches(pattern_.function, name->name)) return name->name;
    }
    return {};
  }

  void begin_function(const LinePlace& place) {
    code_ = decode_function(functions_, place.function->range);
    list_.functions.push_back({place.function_name, place.function->range});
  }

  /// In the function, or in a cold part that its code does not lead to.
  const Instruction* at(const LinePlace& place) {
    if (const Instruction* found = code_.at(place.address)) return found;
    const Function* around = functions_.around(place.address);
    if (around == nullptr || around == place.function) return nullptr;
    auto [part, is_new] = parts_.try_emplace(around->range.begin);
    if (is_new) part->second = decode_function(functions_, around->range);
    return part->second.at(place.address);
  }

  bool begin_probe(const LinePlace& place) {
    if (list_.probes.size() >= limits_.max_probes) return false;
    auto function = static_cast<uint32_t>(list_.functions.size() - 1);
    auto site = static_cast<uint32_t>(list_.sites.size());
    list_.probes.push_back({function, PidProbe::Kind::Line, list_.lines.size(), site, 0, {}});
    list_.lines.push_back(place.name);
    return true;
  }

  void add_site(const Instruction& i) {
    uint64_t file_offset = functions_.file().offset_of_address(i.address).value_or(0);
    list_.sites.push_back({i.address, file_offset, {}, repetition_of(i), 0, place_on(i)});
    list_.probes.back().sites++;
  }

  void refuse(const LinePlace& place, std::string reason) {
    list_.refused.push_back({"D_PROC_ALIGN", ProbeField::Function,
                             place.name + " at 0x" + hexadecimal(place.address) + ": " + std::move(reason)});
  }

  const ModuleFunctions& functions_;
  const PidPattern& pattern_;
  const ProbeLimits& limits_;
  ProbeList& list_;
  DecodedFunction code_;                       ///< the function that is looked at
  std::map<uint64_t, DecodedFunction> parts_;  ///< cold parts, by their beginning
};

}  // namespace

LinesFound lines_of(const ModuleFunctions& functions, const PidPattern& pattern) {
  auto is_file = [&](std::string_view path) {
    return glob_matches(pattern.file, source_name(pattern.file, path)) || glob_matches(pattern.file, path);
  };
  auto is_line = [&](uint32_t line) {
    return pattern.number != 0 ? line == pattern.number : glob_matches(pattern.name, std::to_string(line));
  };
  auto is_code = [&](uint64_t address) { return is_executable_at(functions.file(), address); };
  auto debug = functions.module().debug_information();
  return find_lines(debug.get(), {is_file, is_line, is_code, static_cast<uint32_t>(pattern.number)});
}

bool add_lines(const ModuleFunctions& functions, const PidPattern& pattern, const ProbeLimits& limits,
               ProbeList& list) {
  return AddingLines(functions, pattern, limits, list).run();
}

}  // namespace strut
