#include "ustack/cfi_unwinder.hpp"

#include <unordered_map>
#include <vector>

#include <unistd.h>

#include "ustack/made_code.hpp"
#include "ustack/walk.hpp"

namespace strut {

namespace {

/// Where code lies in a process, and how that is known.
struct Process {
  CodeMap code;
  std::shared_ptr<MadeCode> made =
      std::make_shared<MadeCode>();  ///< a child has a copy of the code, and no file of its own
  bool reported = false;             ///< by the backend, else read from /proc
  bool current = false;              ///< the read mappings are still valid
};

class CfiUnwinder final : public Unwinder {
 public:
  CfiUnwinder(FrameDetail detail, FileComplaint complaint) : modules_(detail, std::move(complaint)) {}

  const Stack& unwind(Pid pid, const UserRegisters& registers, Memory& memory, size_t limit) override {
    Process& process = processes_[raw(pid)];
    if (!process.reported && !process.current) process.current = process.code.read(pid, modules_);
    frames_.clear();
    stack_.cut = false;
    Walk walk(process.code, registers, memory);
    do {
      if (frames_.size() >= limit) {
        stack_.cut = !frames_.empty();
        break;
      }
      frames_.push_back(walk.frame());
      if (frames_.back().module.empty()) name(frames_.back(), *process.made, pid);
    } while (walk.step());
    stack_.starved = walk.starved();
    stack_.whole = !stack_.cut && walk.at_beginning();
    stack_.frames = frames_;
    return stack_;
  }

  void modules_changed(Pid pid) override {
    if (auto known = processes_.find(raw(pid)); known != processes_.end()) known->second.current = false;
  }

  void gone(Pid pid) override { processes_.erase(raw(pid)); }

  void nothing_mapped(Pid pid) override {
    Process& process = processes_[raw(pid)];
    process.made = std::make_shared<MadeCode>();
    process.reported = true;
    process.code.clear();
  }

  void reported_from_now_on(Pid pid) override {
    Process& process = processes_[raw(pid)];
    process.reported = true;
    process.code.read(pid, modules_);
  }

  void vdso_mapped(Pid pid, Addr at) override {
    std::shared_ptr<CodeModule> vdso = modules_.vdso_at(at);
    if (!vdso->file()) return;
    Mapping there;
    there.start = at;
    there.end = Addr{raw(at) + vdso->file()->elf().bytes().size()};
    there.executable = true;
    there.path = vdso->path();
    processes_[raw(pid)].code.place(there, std::move(vdso));
  }

  void mapped(Pid pid, const Mapping& mapping) override { processes_[raw(pid)].code.add(pid, mapping, modules_); }

  void forked(Pid parent, Pid child) override {
    if (parent != child) processes_[raw(child)] = Process(processes_[raw(parent)]);
  }

 private:
  void name(StackFrame& frame, MadeCode& made, Pid pid) {
    auto found = made.at(pid, frame.pc, names_);
    if (!found) return;
    frame.module = kMadeCode;
    frame.symbol = found->name;
    frame.offset = found->offset;
    frame.file_offset = raw(frame.pc);
  }

  CodeModules modules_;
  std::unordered_map<int32_t, Process> processes_;
  KeptNames names_;
  std::vector<StackFrame> frames_;
  Stack stack_;
};

}  // namespace

std::unique_ptr<Unwinder> make_cfi_unwinder(FrameDetail detail, FileComplaint complaint) {
  return std::make_unique<CfiUnwinder>(detail, std::move(complaint));
}

}  // namespace strut
