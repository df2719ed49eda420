#include "ustack/cfi_unwinder.hpp"

#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include <libunwind-x86_64.h>

#include "core/result.hpp"
#include "symtab/process_modules.hpp"
#include "ustack/stack_memory.hpp"

// Exported by libunwind for users who find unwind tables themselves, as its own libunwind-ptrace does; no header has them.
extern "C" {
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t, unw_word_t, unw_dyn_info_t*, unw_proc_info_t*, int, void*);
void UNW_OBJ(dwarf_put_unwind_info)(unw_addr_space_t, unw_proc_info_t*, void*);
}

namespace strut {

namespace {

/// The binary search table of .eh_frame_hdr (Linux Standard Base, "Exception Frames").
struct UnwindTable {
  uint64_t address = 0;  ///< of .eh_frame_hdr, in the file's addresses
  uint64_t entries = 0;
};

/// nullopt: there is none, or not in the form that every linker makes (sorted pairs of 32-bit offsets).
std::optional<UnwindTable> unwind_table(const ElfFile& file) {
  constexpr std::byte kVersion{1}, kRelative4{0x1b}, kUnsigned4{0x03}, kTable{0x3b};
  const Section* section = file.section(".eh_frame_hdr");
  if (!section) return std::nullopt;
  std::span<const std::byte> bytes = file.contents(*section);
  if (bytes.size() < 12 || bytes[0] != kVersion || bytes[1] != kRelative4 || bytes[2] != kUnsigned4 || bytes[3] != kTable)
    return std::nullopt;
  uint32_t entries;
  std::memcpy(&entries, bytes.data() + 8, sizeof(entries));
  if (entries > (bytes.size() - 12) / 8) return std::nullopt;
  return UnwindTable{section->address, entries};
}

/// What is known of a process between two of its stacks.
struct Process {
  explicit Process(Pid pid, ModuleCache& cache) : modules(pid, cache) {}
  ProcessModules modules;
  std::map<const Module*, std::optional<UnwindTable>> tables;
  bool current = false;

  void bring_up_to_date() {
    if (current) return;
    tables.clear();
    current = modules.refresh().has_value();
  }
  const std::optional<UnwindTable>& table_of(const Module& module) {
    auto [slot, is_new] = tables.try_emplace(&module);
    if (is_new && module.file) slot->second = unwind_table(module.file->elf());
    return slot->second;
  }
};

/// One walk: what libunwind's callbacks are given.
struct Walk {
  Process& process;
  StackMemory memory;
  const UserRegisters& registers;
};

Walk& walk_of(void* argument) { return *static_cast<Walk*>(argument); }

int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t* info, int need_unwind_info, void* argument) {
  Walk& walk = walk_of(argument);
  const Module* module = walk.process.modules.module_at(Addr{ip});
  if (!module) return -UNW_ENOINFO;
  const std::optional<UnwindTable>& table = walk.process.table_of(*module);
  if (!table) return -UNW_ENOINFO;
  unw_dyn_info_t where{};
  where.format = UNW_INFO_FORMAT_REMOTE_TABLE;
  where.start_ip = raw(module->start);
  where.end_ip = raw(module->end);
  where.u.rti.segbase = module->bias + table->address;
  where.u.rti.table_data = where.u.rti.segbase + 12;
  where.u.rti.table_len = table->entries * 8 / sizeof(unw_word_t);
  return UNW_OBJ(dwarf_search_unwind_table)(space, ip, &where, info, need_unwind_info, argument);
}

void put_unwind_info(unw_addr_space_t space, unw_proc_info_t* info, void* argument) {
  UNW_OBJ(dwarf_put_unwind_info)(space, info, argument);
}

int find_dynamic_list(unw_addr_space_t, unw_word_t*, void*) { return -UNW_ENOINFO; }

int access_memory(unw_addr_space_t, unw_word_t at, unw_word_t* word, int write, void* argument) {
  uint64_t value;
  if (write || !walk_of(argument).memory.read_word(at, value)) return -UNW_EINVAL;
  *word = value;
  return 0;
}

int access_register(unw_addr_space_t, unw_regnum_t number, unw_word_t* word, int write, void* argument) {
  if (write || number < 0 || static_cast<size_t>(number) >= std::tuple_size_v<UserRegisters>) return -UNW_EBADREG;
  *word = walk_of(argument).registers[static_cast<size_t>(number)];
  return 0;
}

int access_float(unw_addr_space_t, unw_regnum_t, unw_fpreg_t*, int, void*) { return -UNW_EBADREG; }
int resume(unw_addr_space_t, unw_cursor_t*, void*) { return -UNW_EINVAL; }
int procedure_name(unw_addr_space_t, unw_word_t, char*, size_t, unw_word_t*, void*) { return -UNW_ENOINFO; }

unw_accessors_t kAccessors = {find_proc_info, put_unwind_info, find_dynamic_list, access_memory,
                              access_register, access_float,   resume,            procedure_name};

class CfiUnwinder final : public Unwinder {
 public:
  CfiUnwinder() : space_(unw_create_addr_space(&kAccessors, 0)) {
    CHECK_THAT(space_ != nullptr);
    unw_set_caching_policy(space_, UNW_CACHE_GLOBAL);
  }
  ~CfiUnwinder() override { unw_destroy_addr_space(space_); }

  const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) override {
    Process& process = process_of(pid);
    process.bring_up_to_date();
    if (last_ != pid) unw_flush_cache(space_, 0, 0);  // rules are cached by address: another process has other code there
    last_ = pid;
    Walk walk{process, StackMemory(memory, process.modules), registers};
    follow(walk, limit);
    stack_.frames = frames_;
    return stack_;
  }

  void modules_changed(Pid pid) override {
    auto known = processes_.find(raw(pid));
    if (known == processes_.end()) return;
    known->second->current = false;
    unw_flush_cache(space_, 0, 0);
  }

  void gone(Pid pid) override { processes_.erase(raw(pid)); }

 private:
  Process& process_of(Pid pid) {
    auto& slot = processes_[raw(pid)];
    if (!slot) slot = std::make_unique<Process>(pid, cache_);
    return *slot;
  }

  void follow(Walk& walk, size_t limit) {
    frames_.clear();
    stack_.cut = false;
    unw_cursor_t cursor;
    frames_.push_back(frame_at(walk, walk.registers.back()));
    if (unw_init_remote(&cursor, space_, &walk) != 0) return;
    uint64_t last_sp = 0;
    while (unw_step(&cursor) > 0) {
      unw_word_t pc = 0, sp = 0;
      if (unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0 || pc == 0) return;
      if (unw_get_reg(&cursor, UNW_REG_SP, &sp) != 0 || (sp == last_sp && pc == raw(frames_.back().pc))) return;
      last_sp = sp;
      if (frames_.size() >= limit) {
        stack_.cut = true;
        return;
      }
      frames_.push_back(frame_at(walk, pc));
    }
  }

  StackFrame frame_at(Walk& walk, uint64_t pc) {
    StackFrame frame{Addr{pc}, {}, {}, 0, 0};
    const Module* module = walk.process.modules.module_at(frame.pc);
    if (!module) return frame;
    frame.module = module->path;
    if (!module->file) return frame;
    uint64_t address = pc - module->bias;
    frame.file_offset = module->file->elf().offset_of_address(address).value_or(address);
    if (auto symbol = module->file->own_symbols().nearest(address)) {
      frame.symbol = symbol->symbol->name;
      frame.offset = symbol->offset;
    }
    return frame;
  }

  unw_addr_space_t space_;
  ModuleCache cache_;
  std::map<int32_t, std::unique_ptr<Process>> processes_;
  std::optional<Pid> last_;
  std::vector<StackFrame> frames_;
  Stack stack_;
};

}  // namespace

std::unique_ptr<Unwinder> make_cfi_unwinder() { return std::make_unique<CfiUnwinder>(); }

}  // namespace strut
