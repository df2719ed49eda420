#include "kassist/dtrace/linkers.hpp"

#include <cerrno>

#include <sys/stat.h>

#include "kassist/uprobes/linker_breakpoint.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {
namespace {

/// glibc's and musl's, where programs ask for them (their PT_INTERP).
constexpr const char* kUsual[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1"};

}  // namespace

Result<std::unique_ptr<DLinkers>> DLinkers::start(DKernelProgram& kernel) {
  OwnedFd program = kernel.linker_program();
  if (!program) return nullptr;
  auto questions = TRY(ArmingQuestions::open(kernel.linker_questions(), kernel.control().arming()));
  return std::unique_ptr<DLinkers>(new DLinkers(kernel, std::move(program), std::move(questions)));
}

void DLinkers::answer() {
  questions_.answer_taken();
  kernel_.control().linkers_are_answered();
}

void DLinkers::watch(std::optional<Pid> pid) {
  for (const char* path : kUsual) arm(pid, path);
}

void DLinkers::mapped(std::optional<Pid> pid, Pid by, const Mapping& mapping) {
  if (is_linker(mapping.path)) arm(pid, opened_path(by, mapping));
}

void DLinkers::forget(Pid pid) {
  armed_.erase(raw(pid));
  std::erase_if(known_, [&](const auto& one) { return one.first == raw(pid); });
}

void DLinkers::arm(std::optional<Pid> pid, const std::string& path) {
  struct stat status{};
  int32_t whose = pid ? raw(*pid) : 0;
  if (::stat(path.c_str(), &status) != 0 || !known_.insert({whose, status.st_ino}).second) return;
  auto linker = linker_breakpoint(path);
  if (!linker) return;
  UprobeRequest request{path,
                        {{linker->file_offset, static_cast<uint64_t>(int64_t{linker->to_debug})}},
                        UprobeRequest::When::Executed,
                        pid};
  auto armed = armed_[whose].arm(program_.number(), UprobeMechanism::Multi, request);
  // The process of that path has exited; another one may have the same linker.
  if (!armed && (armed.error().code == ENOENT || armed.error().code == ESRCH)) known_.erase({whose, status.st_ino});
}

}  // namespace strut
