#include "libcalls/modules/call_module.hpp"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <sys/stat.h>

#include "libcalls/modules/call_instructions.hpp"
#include "pid-provider/scanned_function.hpp"
#include "symtab/elf/dynamic.hpp"
#include "symtab/elf/go_file.hpp"

namespace strut {

namespace {

constexpr std::byte kJumpRelative{0xe9}, kTwoBytes{0x0f}, kJumpByRip{0x25};
constexpr size_t kRelativeBytes = 5, kRipBytes = 6, kLoadBytes = 7;

int32_t displacement_at(std::span<const std::byte> code, size_t at) {
  int32_t value = 0;
  std::memcpy(&value, code.data() + at, sizeof value);
  return value;
}

uint64_t plus(uint64_t address, int64_t distance) { return address + static_cast<uint64_t>(distance); }

/// `mov slot(%rip),%reg; call *%reg` of `call_bytes` bytes: how clang calls without a PLT where it does not optimize.
/// The slot, from behind the call.
std::optional<int64_t> slot_called_by_register(std::span<const std::byte> code, size_t call_bytes) {
  constexpr uint8_t kWide = 0x48, kWideHigh = 0x4c, kLoad = 0x8b, kByRip = 0x05, kCallRegister = 0xd0, kHigh = 0x41;
  if (code.size() < kLoadBytes + call_bytes) return std::nullopt;
  auto byte = [&](size_t at) { return std::to_integer<uint8_t>(code[at]); };
  bool is_high = call_bytes == 3;
  size_t call = kLoadBytes + call_bytes - 2;
  uint8_t reg = static_cast<uint8_t>(byte(call + 1) - kCallRegister);
  bool is_call = code[call] == kIndirect && reg < 8 && (!is_high || byte(kLoadBytes) == kHigh);
  bool is_load = byte(0) == (is_high ? kWideHigh : kWide) && byte(1) == kLoad && byte(2) == (kByRip | reg << 3);
  if (!is_call || !is_load) return std::nullopt;
  return displacement_at(code, 3) - static_cast<int64_t>(call_bytes);
}

bool is_executable(const ElfFile& file, uint64_t address) {
  return std::ranges::any_of(file.segments(),
                             [&](const Segment& s) { return s.executable && address - s.address < s.file_bytes; });
}

}  // namespace

CallModule::CallModule(std::shared_ptr<const ModuleFile> file, std::string path, std::string opened)
    : file_(std::move(file)), path_(std::move(path)), opened_(std::move(opened)) {
  DynamicTags tags = dynamic_tags(elf());
  soname_ = tags.soname.empty() ? path_.substr(path_.rfind('/') + 1) : std::string(tags.soname);
  needed_ = tags.needed;
  is_go_ = has_go_code(elf());
  struct stat status{};
  if (opened_.empty() || ::stat(opened_.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

const ModuleFunctions& CallModule::functions() const {
  if (!functions_) functions_.emplace(*file_);
  return *functions_;
}

// Go's linker puts all of its code between two symbols. Without them there is no other code that has a name.
bool CallModule::is_go_function(uint64_t address) const {
  if (!is_go_) return false;
  if (!go_code_) {
    auto place = [&](std::string_view name, uint64_t otherwise) {
      auto found = file_->symbols().named(name);
      return found.empty() ? otherwise : found.front()->address;
    };
    go_code_ = CodeRange{place("runtime.text", 0), place("runtime.etext", UINT64_MAX)};
  }
  return go_code_->contains(address);
}

const Exports& CallModule::exports() const {
  if (!exports_) exports_.emplace(elf());
  return *exports_;
}

const std::vector<Import>& CallModule::imports() const {
  if (imports_) return *imports_;
  imports_ = imports_of(elf());
  for (const Import& import : *imports_) by_slot_.emplace(import.slot, &import);
  return *imports_;
}

std::string_view CallModule::name_of(const Import& import) const {
  if (!import.name.empty() || import.by != Import::By::Irelative) return import.name;
  auto symbol = file_->symbols().at(import.resolver);
  return symbol && symbol->offset == 0 ? symbol->symbol->name : std::string_view();
}

const Import* CallModule::import_at(uint64_t slot) const {
  imports();
  auto found = by_slot_.find(slot);
  return found == by_slot_.end() ? nullptr : found->second;
}

const Import* CallModule::stub_at(uint64_t address) const {
  const PltStub* stub = file_->stub_at(address);
  return stub ? import_at(stub->got) : nullptr;
}

std::optional<uint64_t> CallModule::stub_of(const Import& import) const {
  if (!stubs_) {
    stubs_.emplace();
    // Of two stubs for one slot (IBT) the later one is called: .plt.sec comes after .plt.
    for (const PltStub& stub : file_->plt()) (*stubs_)[stub.got] = stub.address;
  }
  auto found = stubs_->find(import.slot);
  return found == stubs_->end() ? std::nullopt : std::optional(found->second);
}

std::vector<CallReference>& CallModule::references() const {
  if (!references_) references_ = references_to_imports(*this);
  return *references_;
}

bool CallModule::may_look_up(const Import& import) const { return looks_names_up() && names(name_of(import)); }

bool CallModule::names(std::string_view name) const {
  if (!in_data_) in_data_.emplace(elf());
  return in_data_->has(name);
}

bool CallModule::looks_names_up() const {
  if (!looks_up_) looks_up_ = strut::looks_names_up(elf());
  return *looks_up_;
}

/// A word that only a PLT stub reads.
bool CallModule::is_for_calls(const Import& import) const {
  return import.by == Import::By::Irelative ? stub_of(import).has_value()
                                            : import.by == Import::By::JumpSlot && !import.is_canonical;
}

bool CallModule::points_to(std::string_view name) const {
  if (!pointed_to_) {
    pointed_to_.emplace();
    for (const Import& import : imports())
      if (!is_for_calls(import)) pointed_to_->insert(name_of(import));
  }
  return pointed_to_->contains(name);
}

/// glibc's own tests use it to list the possible choices, and no other caller may: it is of GLIBC_PRIVATE.
constexpr std::string_view kListOfChoices = "__libc_ifunc_impl_list";

/// Resolvers with choices for PLT stubs alone: another word that one fills in is a pointer.
std::vector<CodeRange> CallModule::choosers() const {
  std::vector<CodeRange> ranges;
  for (const Function& function : functions().all())
    if (function.kind == Function::Kind::Ifunc || function.name == kListOfChoices) ranges.push_back(function.range);
  std::unordered_set<uint64_t> pointed;
  for (const Import& import : imports()) {
    if (import.by != Import::By::Irelative) continue;
    auto range = functions().range_around(import.resolver);
    if (!range) continue;
    ranges.push_back(*range);
    if (!is_for_calls(import)) pointed.insert(range->begin);
  }
  std::erase_if(ranges, [&](const CodeRange& range) { return pointed.contains(range.begin); });
  return ranges;
}

const OwnPointers& CallModule::own_pointers() const {
  if (!own_pointers_) own_pointers_.emplace(elf(), choosers());
  return *own_pointers_;
}

bool CallModule::points_to(uint64_t address) const { return own_pointers().to(address); }

std::vector<uint64_t> CallModule::chosen_by(uint64_t address) const { return own_pointers().chosen_by(address); }

// Instructions cannot be read backwards: a possible call must have a valid target.
CalledThere CallModule::called_before(uint64_t return_address) const {
  auto code = elf().at_address(return_address - kRipBytes);
  if (code.size() < kRipBytes) return {};
  if (code[1] == kCallRelative) {
    uint64_t target = plus(return_address, displacement_at(code, 2));
    if (const Import* import = stub_at(target)) return {CalledThere::What::Import, import, target};
    if (is_executable(elf(), target)) return {CalledThere::What::Address, nullptr, target};
  }
  if (code[0] == kIndirect && code[1] == kCallByRip)
    if (const Import* import = import_at(plus(return_address, displacement_at(code, 2))))
      return {CalledThere::What::Import, import, 0};
  for (size_t call_bytes : {2, 3})
    if (auto slot = slot_called_by_register(elf().at_address(return_address - kLoadBytes - call_bytes), call_bytes))
      if (const Import* import = import_at(plus(return_address, *slot))) return {CalledThere::What::Import, import, 0};
  return {};
}

bool CallModule::jumps_through_pointers(uint64_t address) const {
  auto range = functions().range_around(address);
  if (!range) return true;
  auto [known, is_new] = through_pointers_.try_emplace(range->begin, false);
  if (!is_new) return known->second;
  DecodedFunction code = decode_function(functions(), *range);
  bool does = code.has_unknown_jump || std::ranges::any_of(code.returns, [](const ReturnSite& site) {
                return site.kind == ReturnSite::Kind::TailJumpIndirect;
              });
  return through_pointers_[range->begin] = does;
}

const std::vector<OutwardJump>& CallModule::outward_jumps() const {
  if (outward_) return *outward_;
  outward_.emplace();
  for (const Section& section : elf().sections())
    if ((section.flags & SHF_EXECINSTR) && section.type == SHT_PROGBITS && !has_stubs(section))
      find_outward(section, *outward_);
  return *outward_;
}

// Bytes that could be such a jump are many fewer than instructions: only their functions are looked at.
void CallModule::find_outward(const Section& section, std::vector<OutwardJump>& to) const {
  std::span<const std::byte> code = elf().contents(section);
  SurroundingFunction surrounding(functions());
  for (size_t at = 0; at + kRelativeBytes <= code.size(); at++) {
    if (code[at] != kJumpRelative && code[at] != kTwoBytes && code[at] != kIndirect) continue;
    auto jump = outward_at(section.address + at, code.subspan(at));
    if (!jump) continue;
    const InstructionStarts* function = surrounding.around(jump->address);
    if (!function) continue;
    if (function->length_at(jump->address) == 0) jump->address--;  // a notrack or bnd prefix belongs to it
    if (function->length_at(jump->address) == 0) continue;
    auto found = decode(elf().at_address(jump->address), jump->address);
    if (!found) continue;
    jump->condition = condition_of(*found);
    to.push_back(*jump);
  }
}

std::optional<OutwardJump> CallModule::outward_at(uint64_t address, std::span<const std::byte> code) const {
  size_t opcode_bytes = code[0] == kJumpRelative ? 1 : 2;
  if (code.size() < opcode_bytes + sizeof(int32_t)) return std::nullopt;
  uint64_t to = plus(address + opcode_bytes + sizeof(int32_t), displacement_at(code, opcode_bytes));
  const Import* import = nullptr;
  if (code[0] == kJumpRelative || (code[0] == kTwoBytes && (code[1] & std::byte{0xf0}) == std::byte{0x80}))
    import = stub_at(to);
  else if (code[0] == kIndirect && code[1] == kJumpByRip) import = import_at(to);
  if (!import) return std::nullopt;
  return OutwardJump{address, kNoCondition, import};
}

}  // namespace strut
