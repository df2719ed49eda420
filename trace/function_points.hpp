// Functions as places in code: the sites that a backend arms in order to trace calls, and its reports of hits.
//
// libcalls/ decides which functions these are, and what a call of one means: it is asked for sites whenever a process
// maps code, and turns hits into entries and returns (trace/event.hpp). A backend arms, captures and reports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/function.hpp"
#include "trace/code_sites.hpp"

namespace strut {

/// An instruction at which a function's event is reported.
struct FunctionSite {
  enum class Kind : uint8_t {
    Entry,    ///< the first instruction, or a later one before which nothing has changed
    Return,   ///< a ret of its
    Jump,     ///< a jump out of it to another function, which returns in its stead
    Behind,   ///< after a call of it, in its caller: for a function with unknown exits
    Outward,  ///< for no function: a jump out of a calling module. The next entry with the same stack pointer is
              ///< called from there
  };
  uint32_t function =
      0;  ///< FunctionPoints::function(). Outward: the import of the jump, an index of its own; pass it on
  Kind kind = Kind::Entry;
  uint8_t condition = 0xff;  ///< kNoCondition, or it is reported only if this holds (x86/displaced: condition_holds)
  /// Entry: it is no instruction of the function's but a call of it, so long: the return address is not on the stack
  /// yet. 0: it is the function's, or a stub's. Only where hits do not cost alike.
  uint8_t call_bytes = 0;
  uint64_t file_offset = 0;
  /// Where a uprobe goes instead; nullopt: none is safe, the backend that needs one refuses it.
  std::optional<uint64_t> uprobe_offset;
};

using FunctionCode = CodeSites<FunctionSite>;

/// A file of code.
struct CodeFile {
  uint64_t device = 0, inode = 0;  ///< stat(2)
  bool operator==(const CodeFile&) const = default;
};

/// One function that is traced.
struct TracedFunction {
  const FunctionDesc* desc = nullptr;  ///< never null: unknown_function() (libcalls/) where nothing is known
  std::string_view symbol;             ///< the name in output
  std::string_view module;             ///< soname or file name of the module with its code
  FunctionLabel label = FunctionLabel::Name;
  /// Only calls from these files' code are wanted; empty: from anywhere. A backend may leave others out, and need not.
  std::span<const CodeFile> callers;
  /// The return address may be replaced (uretprobe): nothing is thrown, unwound or cancelled through it, and it calls
  /// no unknown code. Its Return and Jump sites are then for backends that have no cheaper way.
  bool may_replace_return = false;
  bool wants_returns = true;
  /// Made by Go's compiler: its arguments are in the registers of Go's ABI, and %r14 is its goroutine.
  bool is_go = false;
  /// The own sites do not show all of its returns: other functions return in its stead.
  bool is_left_unseen = false;
  /// Not reported itself: its sites are returns of functions that jumped to it. Users of behind() need none of them.
  bool is_hidden = false;
};

/// The sites to arm, as a backend requests them. Calls come from one thread at a time, which need not be the sink's.
class FunctionPoints {
 public:
  virtual ~FunctionPoints() = default;
  /// Before anything else: a hit costs the same at any instruction, and behind() is asked. Functions may then have
  /// their sites where fewer threads come by.
  virtual void hits_cost_alike() {}
  /// Another object for the same functions, which has returned no site yet: to find the sites beforehand, and not while
  /// this one is used. nullptr: there is none.
  virtual std::unique_ptr<FunctionPoints> anew() const { return nullptr; }
  /// A traced process was attached to, is before its program's first instruction, or maps other code than before.
  /// Returns new sites to be armed; the earlier ones must be armed in this process, too.
  virtual std::vector<FunctionCode> code_changed(Pid pid) = 0;
  /// A thread has entered a function that may be left unseen, and returns to an address: a site there, if the call
  /// counts and none was asked for yet.
  virtual std::vector<FunctionCode> behind(uint32_t, Pid, uint64_t) { return {}; }
  /// A site could not be armed: its calls will not be reported.
  virtual void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) = 0;
  /// Any function of a site that was returned; the reference stays good. From any thread.
  virtual const TracedFunction& function(uint32_t index) const = 0;
  /// Where a thread's errno is, in bytes from its %fs base; nullopt: not known. From any thread.
  virtual std::optional<int64_t> errno_place(Pid pid) const = 0;
};

/// A thread's registers when a function's first instruction is about to run (System V ABI for x86-64, section 3.2.3).
struct EntryRegisters {
  /// %rdi, %rsi, %rdx, %rcx, %r8, %r9; of Go's functions %rax, %rbx, %rcx, %rdi, %rsi, %r8 (Go's ABI document, "amd64
  /// architecture"), where a string is two of them
  std::array<uint64_t, 6> integers{};
  std::array<uint64_t, 8> floatings{};  ///< the low halves of %xmm0 to %xmm7
  bool has_floatings = false;           ///< false: they were not captured, and such arguments are unseen
  Addr stack{};                         ///< %rsp: the return address, with stack arguments behind it
};
/// The registers when it is about to return, or has returned.
struct ReturnRegisters {
  uint64_t rax = 0, rdx = 0;
  std::array<uint64_t, 2> floatings{};  ///< %xmm0, %xmm1
  std::array<uint64_t, 2> x87{};        ///< %st(0): 80 bits
  bool has_floatings = false;
};

/// A thread is at a site. Valid during the event.
struct FunctionHit {
  FunctionSite::Kind kind = FunctionSite::Kind::Entry;
  uint32_t function = 0;
  uint64_t frame = 0;           ///< the address that the return address lies at
  uint64_t return_address = 0;  ///< 0: not known
  /// For Go's functions: which goroutine the thread runs, by the address of its runtime.g. 0: none, or it is not known.
  uint64_t goroutine = 0;
  uint64_t stack_top = 0;    ///< for that goroutine now: its stack may be elsewhere when the function returns
  EntryRegisters entry;      ///< Entry
  ReturnRegisters returned;  ///< Return
  int error_number = 0;      ///< Return: the thread's errno; 0: none, or it was not asked for or not captured
  /// Memory as it is now: of a captured hit, the parts in its function's description for this kind of site. Where the
  /// description needs arguments at the return, they are those of the entry.
  DecodeContext scene;

  /// The same number at a call's entry and at its return, wherever its stack is: deeper calls have smaller ones.
  uint64_t place() const { return frame - stack_top; }
  /// The head of a runtime.g: the bounds of its stack. One with a stack that does not contain the frame is no
  /// goroutine's.
  void runs(uint64_t at, uint64_t stack_begin, uint64_t stack_end) {
    if (frame < stack_begin || frame >= stack_end) return;
    goroutine = at;
    stack_top = stack_end;
  }
};

}  // namespace strut
