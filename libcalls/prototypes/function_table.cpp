#include "libcalls/prototypes/function_table.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
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
  return std::ranges::any_of(
      function.args, [](const ArgType& arg) { return arg.type.kind == Kind::Look && arg.type.look == show_code; });
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

constexpr size_t row_count() {
  size_t count = 0;
  for (const Library& library : kLibraries) count += library.rows.size();
  return count;
}
constexpr size_t kRows = row_count();

/// Where a name's row is. Of several rows of one name the first library's counts.
struct Place {
  std::string_view name;
  uint16_t library, row;
  auto operator<=>(const Place&) const = default;
};
constexpr auto kByName = [] {
  std::array<Place, kRows> places;
  size_t count = 0;
  for (uint16_t library = 0; library < std::size(kLibraries); library++)
    for (uint16_t row = 0; row < kLibraries[library].rows.size(); row++)
      places[count++] = {kLibraries[library].rows[row].desc.name, library, row};
  std::ranges::sort(places);
  return places;
}();

constexpr auto kFramesByName = [] {
  auto frames = std::to_array(kFrames);
  std::ranges::sort(frames, {}, &FrameRow::name);
  return frames;
}();
static_assert(std::ranges::adjacent_find(kFramesByName, {}, &FrameRow::name) == kFramesByName.end());

FrameUse frame_of(const FunctionDesc& desc, const Library& library) {
  if (calls_back(desc)) return FrameUse::Open;
  auto named = std::ranges::lower_bound(kFramesByName, desc.name, {}, &FrameRow::name);
  return named != kFramesByName.end() && named->name == desc.name ? named->use : library.frames;
}

/// The rows with their system calls found. Each is made when it is first asked for: a run needs few, and to make all
/// costs 60 page faults. Thread-safe.
class Table {
 public:
  const FunctionDesc* find(std::string_view name) {
    auto place = std::ranges::lower_bound(kByName, name, {}, &Place::name);
    return place == kByName.end() || place->name != name ? nullptr : &row(*place);
  }
  const FunctionDesc& row(const Place& place) {
    std::lock_guard lock(mutex_);
    std::unique_ptr<FunctionDesc>& row = rows_[static_cast<size_t>(&place - kByName.data())];
    if (!row) row = std::make_unique<FunctionDesc>(made(place));
    return *row;
  }
  /// nullptr: the row is not of this table.
  const Library* library_of(const FunctionDesc& desc) {
    std::lock_guard lock(mutex_);
    for (auto place = std::ranges::lower_bound(kByName, desc.name, {}, &Place::name);
         place != kByName.end() && place->name == desc.name; ++place)
      if (rows_[static_cast<size_t>(place - kByName.begin())].get() == &desc) return &kLibraries[place->library];
    return nullptr;
  }

 private:
  static FunctionDesc made(const Place& place) {
    const Library& library = kLibraries[place.library];
    const NamedRow& row = library.rows[place.row];
    FunctionDesc desc = row.desc;
    desc.frame = frame_of(desc, library);
    if (row.syscall == nullptr) return desc;
    const SyscallSlot* slot = find_syscall(Abi::X86_64, row.syscall);
    CHECK_THAT(slot != nullptr);
    desc.syscall = slot->desc;
    return desc;
  }

  std::mutex mutex_;
  std::array<std::unique_ptr<FunctionDesc>, kRows> rows_;  ///< by their places in kByName
};

Table& table() {
  static Table table;
  return table;
}

std::unordered_map<const FunctionDesc*, ReturnWay> ways_of_rows() {
  std::unordered_map<const FunctionDesc*, ReturnWay> ways;
  for (const ReturnRow& row : kReturns) {
    const FunctionDesc* desc = table().find(row.name);
    CHECK_THAT(desc != nullptr);
    ways.emplace(desc, row.way);
  }
  return ways;
}

/// The text around the name of a function that has another's arguments: large files, standards, locks.
constexpr std::string_view kHeads[] = {"__isoc99_", "__isoc23_", "__libc_", "_IO_", "__GI_", "__posix_", "__"};
/// `stands_for`: how the plainer name ends instead: cosf64 is cos, cosf32 is cosf (TS 18661-3).
struct Tail {
  std::string_view text, stands_for;
};
constexpr Tail kTails[] = {{"f64", ""}, {"f32x", ""}, {"f32", "f"}, {"64", ""}, {"_unlocked", ""}};

const FunctionDesc* exactly(std::string_view name) { return table().find(name); }

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
  static const std::unordered_map<const FunctionDesc*, ReturnWay> ways = ways_of_rows();
  auto found = ways.find(&row);
  return found == ways.end() ? ReturnWay::Once : found->second;
}

std::string_view library_of(const FunctionDesc& row) {
  const Library* library = table().library_of(row);
  return library ? library->soname : std::string_view();
}

std::vector<FunctionSubject> function_subjects() {
  std::vector<FunctionSubject> subjects;
  for (const Library& library : kLibraries) subjects.push_back({library.soname, {}});
  for (const Place& place : kByName) subjects[place.library].rows.push_back(&table().row(place));
  return subjects;
}

}  // namespace strut
