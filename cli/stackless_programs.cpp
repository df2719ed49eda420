#include "cli/stackless_programs.hpp"

#include <optional>

#include "core/proc/proc_file.hpp"

namespace strut {
namespace {

/// e_ident of elf(5).
constexpr size_t kClassAt = 4;
constexpr char kClass64 = 2;

/// Which program of 32 bits a process runs; empty: one of 64 bits, which may make 32-bit calls, too (int $0x80);
/// nullopt: the process has ended.
std::optional<std::string> narrow_program_of(Pid pid) {
  auto head = read_proc_file(proc_path(raw(pid), "exe"), kClassAt + 1);
  auto path = read_proc_link(proc_path(raw(pid), "exe"));
  if (!head || head->size() <= kClassAt || !path) return std::nullopt;
  return (*head)[kClassAt] == kClass64 ? std::string() : path->substr(path->rfind('/') + 1);
}

}  // namespace

Result<void> StacklessPrograms::take(const Event& event) {
  bool may_have_stack =
      std::holds_alternative<ExitEvent>(event.what) || std::holds_alternative<SignalEvent>(event.what);
  bool is_new = may_have_stack && event.abi == Abi::I386 && !event.stack && seen_.insert(raw(event.thread.pid)).second;
  if (!is_new) return next_.take(event);
  // Before the event is passed on: its process may be gone afterwards.
  std::optional<std::string> program = narrow_program_of(event.thread.pid);
  Result<void> passed = next_.take(event);
  bool is_wide = program && program->empty();
  if (is_wide || !said_.insert(program.value_or("")).second) return passed;
  listener_.say(program ? *program + " is a 32-bit program: its stacks cannot be shown"
                        : "process " + std::to_string(raw(event.thread.pid)) +
                              " made 32-bit system calls: their stacks cannot be shown");
  return passed;
}

}  // namespace strut
