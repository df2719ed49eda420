#include "pid-provider/functions.hpp"

#include <algorithm>
#include <tuple>

#include <elf.h>

#include "pid-provider/entry_evidence.hpp"
#include "pid-provider/jumps_between.hpp"
#include "symtab/elf/address_words.hpp"
#include "symtab/elf/go_file.hpp"

namespace strut {
namespace {

bool is_executable(const ElfFile& file, uint64_t address) {
  return std::ranges::any_of(file.segments(),
                             [&](const Segment& s) { return s.executable && address - s.address < s.file_bytes; });
}

uint64_t section_end(const ElfFile& file, uint64_t address) {
  for (const Section& section : file.sections())
    if ((section.flags & SHF_EXECINSTR) && address - section.address < section.bytes)
      return section.address + section.bytes;
  return address;
}

size_t underscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }

/// By address; of one address, names that are no compiler's first, then as DTrace does: fewer underscores, shorter.
bool comes_before(const Function& a, const Function& b) {
  if (a.range.begin != b.range.begin) return a.range.begin < b.range.begin;  // names are looked at where they count
  auto rank = [](const Function& f) {
    return std::tuple(f.kind, f.name.contains('.'), underscores(f.name), f.name.size(), f.name);
  };
  return rank(a) < rank(b);
}

}  // namespace

std::string misplaced_text(size_t count, std::string_view file) {
  bool is_one = count == 1;
  return std::to_string(count) + (is_one ? " function of " : " functions of ") + std::string(file) +
         (is_one ? " is not armed: its symbol points" : " are not armed: their symbols point") +
         " where no instruction begins";
}

std::string_view owner_of_cold_part(std::string_view name) {
  constexpr std::string_view kSuffix = ".cold";
  size_t at = name.rfind(kSuffix);
  if (at == std::string_view::npos || at == 0) return {};
  std::string_view rest = name.substr(at + kSuffix.size());
  bool numbered =
      rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return rest.empty() || numbered ? name.substr(0, at) : std::string_view();
}

ModuleFunctions::ModuleFunctions(const ModuleFile& module)
    : module_(module), is_go_(has_go_code(module.elf())), bounds_(module.elf()) {
  for (const Symbol& symbol : module.symbols().all()) add(symbol);
  std::ranges::sort(functions_, comes_before);
  auto repeated = std::ranges::unique(functions_, [](const Function& a, const Function& b) {
    return a.range.begin == b.range.begin && a.name == b.name;
  });
  functions_.erase(repeated.begin(), repeated.end());
  take_out_misplaced();
  for (size_t i = 0; i < functions_.size(); i++) {
    if (functions_[i].range.end == functions_[i].range.begin) bound(i);
    else trim(i);
  }
}

void ModuleFunctions::add(const Symbol& symbol) {
  if (symbol.type != SymbolType::Function && symbol.type != SymbolType::Ifunc) return;
  if (!is_executable(file(), symbol.address) || symbol.bytes > UINT64_MAX - symbol.address) return;
  Function::Kind kind = symbol.type == SymbolType::Ifunc          ? Function::Kind::Ifunc
                        : owner_of_cold_part(symbol.name).empty() ? Function::Kind::Whole
                                                                  : Function::Kind::ColdPart;
  functions_.push_back({symbol.name, {symbol.address, symbol.address + symbol.bytes}, kind, Function::Bounds::Symbol});
}

/// Code for another machine is not judged.
void ModuleFunctions::take_out_misplaced() {
  if (file().machine() != EM_X86_64 || is_go_) return;
  EntryEvidence evidence(*this, bounds_);
  std::vector<bool> is_wrong(functions_.size());
  for (size_t i = 0; i < functions_.size(); i++) {
    bool is_same = i > 0 && functions_[i].range.begin == functions_[i - 1].range.begin;
    is_wrong[i] = is_same ? is_wrong[i - 1] : evidence.contradicts(functions_[i].range.begin);
  }
  size_t kept = 0;
  for (size_t i = 0; i < functions_.size(); i++) {
    if (is_wrong[i]) misplaced_.push_back(functions_[i]);
    else functions_[kept++] = functions_[i];
  }
  functions_.resize(kept);
}

/// The end of a function without a size in its symbol.
void ModuleFunctions::bound(size_t index) {
  Function& function = functions_[index];
  uint64_t begin = function.range.begin;
  if (auto described = bounds_.at(begin)) {
    function.range.end = described->end;
    function.bounds = Function::Bounds::FrameDescription;
    return;
  }
  auto next = std::ranges::upper_bound(functions_, begin, {}, [](const Function& f) { return f.range.begin; });
  uint64_t end = section_end(file(), begin);
  if (next != functions_.end()) end = std::min(end, next->range.begin);
  function.range.end = std::max(begin, end);
  function.bounds = Function::Bounds::NextFunction;
}

/// A size that is too large: it reaches out of the section, or over other functions that are described apart from this
/// one.
void ModuleFunctions::trim(size_t index) {
  Function& function = functions_[index];
  uint64_t begin = function.range.begin, section = section_end(file(), begin);
  if (section != begin) function.range.end = std::min(function.range.end, section);
  auto begin_of = [](const Function& f) { return f.range.begin; };
  auto next = std::ranges::upper_bound(functions_, begin, {}, begin_of);
  if (next == functions_.end() || next->range.begin >= function.range.end) return;
  auto own = bounds_.at(begin);
  if (!own || own->begin != begin) return;
  next = std::ranges::lower_bound(functions_, own->end, {}, begin_of);
  if (next == functions_.end() || next->range.begin >= function.range.end) return;
  auto other = bounds_.at(next->range.begin);
  if (!other || other->begin != next->range.begin) return;
  function.range.end = own->end;
  function.bounds = Function::Bounds::FrameDescription;
}

const JumpsBetween& ModuleFunctions::jumps_between() const {
  if (!jumps_between_) jumps_between_ = std::make_shared<JumpsBetween>(file());
  return *jumps_between_;
}

const AddressWords& ModuleFunctions::address_words() const {
  if (!address_words_) address_words_ = std::make_shared<AddressWords>(file());
  return *address_words_;
}

bool ModuleFunctions::begins(uint64_t address) const {
  auto first = std::ranges::lower_bound(functions_, address, {}, [](const Function& f) { return f.range.begin; });
  return first != functions_.end() && first->range.begin == address && first->kind != Function::Kind::ColdPart;
}

const Function* ModuleFunctions::covering(uint64_t address) const {
  auto above = std::ranges::upper_bound(functions_, address, {}, [](const Function& f) { return f.range.begin; });
  if (above == functions_.begin()) return nullptr;
  const Function& below = *std::prev(above);
  return below.range.contains(address) ? &below : nullptr;
}

const Function* ModuleFunctions::around(uint64_t address) const {
  const Function* worst = covering(address);
  if (worst == nullptr) return nullptr;
  return &*std::ranges::lower_bound(functions_, worst->range.begin, {},
                                    [](const Function& f) { return f.range.begin; });
}

const Function* ModuleFunctions::named(std::string_view name) const {
  auto found = std::ranges::find(functions_, name, &Function::name);
  return found == functions_.end() ? nullptr : &*found;
}

std::optional<CodeRange> ModuleFunctions::range_around(uint64_t address) const {
  if (const Function* function = covering(address)) return function->range;
  auto described = bounds_.at(address);
  if (!described) return std::nullopt;
  return CodeRange{described->begin, described->end};
}

std::optional<CodeRange> ModuleFunctions::beginning_at(uint64_t address) const {
  auto range = range_around(address);
  return range && range->begin == address ? range : std::nullopt;
}

std::optional<CodeRange> ModuleFunctions::nameless_part(uint64_t address) const {
  if (const Function* function = covering(address))
    return function->kind == Function::Kind::ColdPart ? std::optional(function->range) : std::nullopt;
  auto described = bounds_.at(address);
  if (!described || begins(described->begin)) return std::nullopt;
  return CodeRange{described->begin, described->end};
}

}  // namespace strut
