#include "libcalls/prototypes/function_table.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "libcalls/prototypes/function_words.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/fs/at_flags.hpp"
#include "syscalls/types/fs/file_ops.hpp"
#include "syscalls/types/fs/open_flags.hpp"
#include "syscalls/types/fs/stat.hpp"
#include "syscalls/types/io/epoll.hpp"
#include "syscalls/types/io/poll.hpp"
#include "syscalls/types/memory/memory.hpp"
#include "syscalls/types/process/sched.hpp"
#include "syscalls/types/process/wait.hpp"
#include "syscalls/types/signal/sigevent.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "syscalls/types/signal/signal.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {

namespace {

using namespace notation;

/// A row as the .inc files have it, with the name that its system call is found by.
struct NamedRow {
  FunctionDesc desc;
  const char* syscall;
};
template <size_t kCount>
constexpr NamedRow named_row(const char* name, const FunctionRow<kCount>& row) {
  return {{name, row.result, row.args, row.varargs, row.failure, nullptr, FrameUse::Open, true}, row.syscall};
}

/// A predicate for callbacks. Not part of the row: g++ 12 with -fsanitize=undefined cannot compare functions at compile
/// time.
bool calls_back(const FunctionDesc& function) {
  return std::ranges::any_of(function.args, [](const ArgType& arg) { return arg.type.custom == decode_code; });
}

#define FUNCTION(name, ...) constexpr auto kRow_##name = function_row(__VA_ARGS__);
#include "libcalls/functions/all.inc"
#undef FUNCTION

#define FUNCTION(name, ...) named_row(#name, kRow_##name),
constexpr NamedRow kLibc[] = {
#include "libcalls/functions/libc.inc"
};
constexpr NamedRow kMath[] = {
#include "libcalls/functions/math.inc"
};
constexpr NamedRow kCxx[] = {
#include "libcalls/functions/cxx.inc"
};
constexpr NamedRow kGcc[] = {
#include "libcalls/functions/gcc.inc"
};
constexpr NamedRow kZlib[] = {
#include "libcalls/functions/zlib.inc"
};
constexpr NamedRow kSqlite[] = {
#include "libcalls/functions/sqlite3.inc"
};
constexpr NamedRow kSsl[] = {
#include "libcalls/functions/openssl.inc"
};
constexpr NamedRow kCrypto[] = {
#include "libcalls/functions/crypto.inc"
};
constexpr NamedRow kCurl[] = {
#include "libcalls/functions/curl.inc"
};
constexpr NamedRow kSelinux[] = {
#include "libcalls/functions/selinux.inc"
};
#undef FUNCTION

/// For functions of the C library and others with frames unlike those around them.
struct FrameRow {
  std::string_view name;
  FrameUse use;
};
#define FRAME(name, use) {#name, FrameUse::use},
constexpr FrameRow kFrames[] = {
#include "libcalls/functions/frames.inc"
};
#undef FRAME

struct ReturnRow {
  std::string_view name;
  ReturnWay way;
};
constexpr ReturnRow kReturns[] = {
    {"setjmp", ReturnWay::Again},
    {"_setjmp", ReturnWay::Again},
    {"__sigsetjmp", ReturnWay::Again},
    {"longjmp", ReturnWay::ByAnother},
    {"_longjmp", ReturnWay::ByAnother},
    {"siglongjmp", ReturnWay::ByAnother},
    {"__longjmp_chk", ReturnWay::ByAnother},
    {"swapcontext", ReturnWay::FromOtherStack},
    {"exit", ReturnWay::Never},
    {"pthread_exit", ReturnWay::Never},
    {"quick_exit", ReturnWay::Never},
};

struct Library {
  const char* soname;
  std::span<const NamedRow> rows;
  FrameUse frames;  ///< of those that libcalls/functions/frames.inc does not name
};
constexpr Library kLibraries[] = {
    {"libc.so.6", kLibc, FrameUse::Own},      {"libm.so.6", kMath, FrameUse::Own},
    {"libstdc++.so.6", kCxx, FrameUse::Open}, {"libgcc_s.so.1", kGcc, FrameUse::Open},
    {"libz.so.1", kZlib, FrameUse::Open},     {"libsqlite3.so.0", kSqlite, FrameUse::Open},
    {"libssl.so.3", kSsl, FrameUse::Open},    {"libcrypto.so.3", kCrypto, FrameUse::Open},
    {"libcurl.so.4", kCurl, FrameUse::Open},  {"libselinux.so.1", kSelinux, FrameUse::Open},
};

/// The rows with their system calls found, and an index of them.
struct Table {
  std::vector<FunctionDesc> rows;
  std::vector<FunctionSubject> subjects;
  std::unordered_map<std::string_view, const FunctionDesc*> by_name;
  std::unordered_map<std::string_view, FrameUse> frames;
  std::unordered_map<const FunctionDesc*, ReturnWay> returns;

  Table() {
    for (const FrameRow& row : kFrames) frames.emplace(row.name, row.use);
    size_t count = 0;
    for (const Library& library : kLibraries) count += library.rows.size();
    rows.reserve(count);
    for (const Library& library : kLibraries) add(library);
    for (const FunctionDesc& row : rows) by_name.emplace(row.name, &row);
    for (const ReturnRow& row : kReturns) returns.emplace(by_name.at(row.name), row.way);
  }

 private:
  void add(const Library& library) {
    size_t first = rows.size();
    for (const NamedRow& row : library.rows) {
      rows.push_back(row.desc);
      auto named = frames.find(row.desc.name);
      rows.back().frame = calls_back(row.desc)    ? FrameUse::Open
                          : named != frames.end() ? named->second
                                                  : library.frames;
      if (row.syscall == nullptr) continue;
      const SyscallSlot* slot = find_syscall(Abi::X86_64, row.syscall);
      CHECK_THAT(slot != nullptr);
      rows.back().syscall = slot->desc;
    }
    subjects.push_back({library.soname, std::span(rows).subspan(first)});
  }
};

const Table& table() {
  static const Table table;
  return table;
}

/// The text around the name of a function that has another's arguments: large files, standards, locks.
constexpr std::string_view kHeads[] = {"__isoc99_", "__isoc23_", "__libc_", "_IO_", "__GI_", "__posix_", "__"};
/// `stands_for`: how the plainer name ends instead: cosf64 is cos, cosf32 is cosf (TS 18661-3).
struct Tail {
  std::string_view text, stands_for;
};
constexpr Tail kTails[] = {{"f64", ""}, {"f32x", ""}, {"f32", "f"}, {"64", ""}, {"_unlocked", ""}};

const FunctionDesc* exactly(std::string_view name) {
  auto found = table().by_name.find(name);
  return found == table().by_name.end() ? nullptr : found->second;
}

}  // namespace

const FunctionDesc* find_prototype(std::string_view name) {
  if (const FunctionDesc* row = exactly(name)) return row;
  for (const Tail& tail : kTails)
    if (name.ends_with(tail.text))
      if (const FunctionDesc* row =
              exactly(std::string(name.substr(0, name.size() - tail.text.size())).append(tail.stands_for)))
        return row;
  for (std::string_view head : kHeads)
    if (name.starts_with(head)) return find_prototype(name.substr(head.size()));
  return nullptr;
}

ReturnWay return_way(const FunctionDesc& row) {
  auto found = table().returns.find(&row);
  return found == table().returns.end() ? ReturnWay::Once : found->second;
}

std::string_view library_of(const FunctionDesc& row) {
  for (const FunctionSubject& subject : table().subjects)
    if (&row >= subject.rows.data() && &row < subject.rows.data() + subject.rows.size()) return subject.library;
  return {};
}

std::span<const FunctionSubject> function_subjects() { return table().subjects; }

}  // namespace strut
