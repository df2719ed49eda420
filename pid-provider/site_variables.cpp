#include "pid-provider/site_variables.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <elf.h>

#include "symtab/elf/relocations.hpp"
#include "x86/instruction.hpp"

namespace strut {
namespace {

/// General registers by DWARF's numbers (psABI, figure 3.36).
constexpr uint8_t kByDwarf[] = {Gpr::kRax, 2,  1,  Gpr::kRbx, Gpr::kRsi, Gpr::kRdi, Gpr::kRbp, Gpr::kRsp, 8,
                                9,         10, 11, 12,        13,        14,        15,        Gpr::kIp};

uint8_t place_of_register(uint8_t dwarf_number) {
  return dwarf_number < std::size(kByDwarf) ? register_place(kByDwarf[dwarf_number]) : SiteOperand::kNoRegister;
}

bool is_of_register_size(uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

/// The value fits a register of D.
bool is_plain(const CType& type) {
  using Kind = CType::Kind;
  constexpr Kind kPlain[] = {Kind::Bool, Kind::Char,    Kind::Signed,   Kind::Unsigned,
                             Kind::Enum, Kind::Pointer, Kind::Reference};
  return std::ranges::count(kPlain, type.kind) != 0 && is_of_register_size(type.bytes);
}

bool is_floating(const CType& type) { return type.kind == CType::Kind::Float || type.kind == CType::Kind::Complex; }

constexpr uint64_t kWord = 8;
constexpr std::string_view kArgs = "args[";
/// Registers of arguments by Gpr's numbers (psABI, 3.2.3).
constexpr uint8_t kArguments[] = {Gpr::kRdi, Gpr::kRsi, Gpr::kRdx, Gpr::kRcx, Gpr::kR8, Gpr::kR9};

/// How many arguments are where, up to the last one (psABI, 3.2.3).
struct PassedArguments {
  size_t in_registers = 0, in_vectors = 0, words_on_stack = 0;
  bool has_object = false;  ///< one that is no word lies on the stack
  bool is_last_on_stack = false;

  /// False: it is passed in several registers, or it depends on its members where it is.
  bool take(const CType& type, bool is_word) {
    constexpr size_t kVectors = 8;
    is_last_on_stack = false;
    bool is_vector = is_floating(type) && type.bytes <= kWord;
    if (is_vector && in_vectors++ < kVectors) return true;
    if (!is_word && !is_vector && type.bytes <= 2 * kWord) return false;
    if (is_word && in_registers < std::size(kArguments)) {
      in_registers++;
      return true;
    }
    words_on_stack++;
    has_object |= !is_word && !is_vector;
    is_last_on_stack = true;
    return true;
  }
};

std::unexpected<std::string> refused(std::string why) { return std::unexpected(std::move(why)); }

}  // namespace

bool is_signed_in_c(const CType& type) {
  std::string_view name = type.name;
  if (type.kind == CType::Kind::Char) return name == "char" || name == "signed char";
  return type.kind == CType::Kind::Signed || type.kind == CType::Kind::Enum;
}

SiteVariables::SiteVariables(const ModuleFile& module, const ModuleNames& names)
    : module_(module),
      path_(names.path),
      soname_(names.soname),
      is_program_(names.is_program),
      variables_(module.debug_information(), module.elf()) {}

std::expected<SiteVariable, std::string> SiteVariables::at(const VariableSite& site, std::string_view name) const {
  if (name.starts_with(kArgs)) return argument_of_function(site, name);
  size_t quote = name.rfind('`');
  // At entries and returns a function's own names count, though a function may be inlined there.
  bool is_of_function = site.kind == PidProbe::Kind::Entry || site.kind == PidProbe::Kind::Return;
  VariableScope scope = is_of_function ? VariableScope::Function : VariableScope::Instruction;
  if (quote != std::string_view::npos && quote != 0) {
    if (!module_matches(name.substr(0, quote), {path_, soname_, is_program_}))
      return refused("the probe is in another file");
    scope = VariableScope::File;
  }
  if (quote != std::string_view::npos) name.remove_prefix(quote + 1);
  auto variable = variables_.at(site.address, name, scope);
  if (!variable) return refused(variable.error());
  return placed(*variable, site);
}

std::expected<SiteVariable, std::string> SiteVariables::argument_of_function(const VariableSite& site,
                                                                             std::string_view name) const {
  uint32_t number = 0;
  std::from_chars(name.data() + kArgs.size(), name.data() + name.size(), number);
  auto prototype = module_.prototypes().at(site.address);
  if (!prototype) return refused("no debug information has the function's prototype");
  bool is_result = site.kind == PidProbe::Kind::Return && number == 1 && !prototype->result.is_void();
  bool is_parameter = site.kind == PidProbe::Kind::Entry && number < prototype->parameters.size();
  using enum VariablePlace::Kind;
  if (is_parameter)
    return placed({prototype->parameters[number].type, {Argument, VariablePlace::kNoRegister, 0, number}, {}}, site);
  if (is_result) return placed({prototype->result, {Register, 0}, {}}, site);  // %rax
  return refused(site.kind == PidProbe::Kind::Entry    ? "the function has no such parameter"
                 : site.kind == PidProbe::Kind::Return ? "only args[1] has a type at a return, the result"
                                                       : "the program's variables have their names here, as in `count");
}

std::expected<SiteVariable, std::string> SiteVariables::placed(const ProgramVariable& variable,
                                                               const VariableSite& site) const {
  using enum VariablePlace::Kind;
  const CType& type = module_.prototypes().type(variable.type);
  const VariablePlace& place = variable.place;
  if (type.bytes == 0 && type.counts.empty()) return refused("its type is not known");
  SiteVariable made{variable.type, {}, !is_plain(type)};
  made.operand.bytes = made.is_address ? kWord : static_cast<uint8_t>(type.bytes);
  made.operand.is_signed = !made.is_address && is_signed_in_c(type);
  made.operand.displacement = place.offset;
  made.operand.base = place_of_register(place.number);
  bool has_no_address = place.kind == Register || place.kind == Value || place.kind == Argument;
  if (made.is_address && has_no_address)
    return refused(place.kind == Argument ? "it is no integer, and the function has not stored it yet there"
                                          : "it is in no memory there, and too large or no integer");
  switch (place.kind) {
    case Register: made.operand.place = SiteOperand::Place::Register; return made;
    case Value: made.operand.place = SiteOperand::Place::Constant; return made;
    case Memory:
      made.operand.place = made.is_address ? SiteOperand::Place::Constant : SiteOperand::Place::Memory;
      return made;
    case File: return of_file(variable, site, made);
    case Symbol: return of_symbol(variable, site, made);
    case Argument: break;
  }
  auto placed = argument(variable, site, made.operand);
  if (!placed) return refused(placed.error());
  return made.operand = *placed, made;
}

/// A global variable, by the distance from the site. The program, or an earlier library, may have it instead of a
/// library that exports it: then the dynamic linker has written its address into a word of the library.
SiteVariable SiteVariables::of_file(const ProgramVariable& variable, const VariableSite& site,
                                    SiteVariable made) const {
  made.operand.base = register_named("rip")->place;
  made.operand.place = made.is_address ? SiteOperand::Place::Constant : SiteOperand::Place::Memory;
  bool is_elsewhere = variable.place.kind == VariablePlace::Kind::Symbol && made.operand.displacement == 0;
  const uint64_t* word = is_program_ && !is_elsewhere ? nullptr : word_with_address(variable.exported_name);
  made.operand.displacement -= static_cast<int64_t>(site.address);
  if (word == nullptr) return made;
  made.is_address = true;
  made.operand.place = SiteOperand::Place::Memory;
  made.operand.bytes = kWord;
  made.operand.is_signed = false;
  made.operand.displacement = static_cast<int64_t>(*word - site.address);
  return made;
}

/// One of another source without debug information, or of another file, which the dynamic linker may have copied here.
std::expected<SiteVariable, std::string> SiteVariables::of_symbol(const ProgramVariable& variable,
                                                                  const VariableSite& site, SiteVariable made) const {
  auto is_object = [](const Symbol* one) { return one->type == SymbolType::Object && one->address != 0; };
  auto named = module_.symbols().named(variable.exported_name);
  auto found = std::ranges::find_if(named, is_object);
  bool is_here = found != named.end();
  if (!is_here && word_with_address(variable.exported_name) == nullptr) return refused("another file has it");
  made.operand.displacement = is_here ? static_cast<int64_t>((*found)->address) : 0;
  return of_file(variable, site, made);
}

/// A parameter where the function begins: in the register, or behind the return address, where the ABI has it.
std::expected<SiteOperand, std::string> SiteVariables::argument(const ProgramVariable& variable,
                                                                const VariableSite& site, SiteOperand operand) const {
  const Prototypes& types = module_.prototypes();
  auto prototype = types.at(site.address);
  if (!prototype || prototype->is_altered || variable.place.argument >= prototype->parameters.size())
    return refused("the compiler has changed how the function is called");
  const CType& result = types.type(prototype->result);
  bool is_object = result.kind == CType::Kind::Struct || result.kind == CType::Kind::Union;
  bool takes_register = is_object && (result.bytes > 2 * kWord || types.is_passed_by_address(prototype->result));
  PassedArguments passed{.in_registers = takes_register ? 1u : 0u};
  for (uint32_t i = 0; i <= variable.place.argument; i++) {
    CTypeRef ref = prototype->parameters[i].type;
    bool is_word = is_plain(types.type(ref)) || types.is_passed_by_address(ref);
    if (!passed.take(types.type(ref), is_word)) return refused("a parameter before it is passed in pieces");
  }
  if (passed.has_object && passed.is_last_on_stack) return refused("a structure before it lies on the stack");
  operand.place = passed.is_last_on_stack ? SiteOperand::Place::Memory : SiteOperand::Place::Register;
  operand.base = register_place(passed.is_last_on_stack ? uint8_t{Gpr::kRsp} : kArguments[passed.in_registers - 1]);
  if (passed.is_last_on_stack) operand.displacement = static_cast<int64_t>(passed.words_on_stack * kWord);
  return operand;
}

/// The word that the dynamic linker fills in with the address of a variable; nullptr: the file has none.
const uint64_t* SiteVariables::word_with_address(std::string_view exported_name) const {
  if (!words_) {
    words_.emplace();
    for (const Relocation& relocation : relocations_of(module_.elf()))
      if (relocation.type == R_X86_64_GLOB_DAT || (relocation.type == R_X86_64_64 && relocation.addend == 0))
        words_->try_emplace(relocation.name, relocation.at);
  }
  auto found = words_->find(exported_name);
  return found != words_->end() && !exported_name.empty() ? &found->second : nullptr;
}

}  // namespace strut
