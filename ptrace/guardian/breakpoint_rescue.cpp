#include "ptrace/guardian/breakpoint_rescue.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "procfs/proc_root.hpp"
#include "ptrace/guardian/ledger_pages.hpp"

namespace strut {
namespace {

constexpr size_t kCodePageBytes = 4096;
constexpr uint8_t kInt3 = 0xcc;

/// Copies an object out of the tracer, which may be dead where that lies in memory of this process, too. False: it
/// cannot be read.
template <typename What>
bool read_from(const TracerLedger& ledger, const What* at, void* copy) {
  auto* bytes = reinterpret_cast<const std::byte*>(at);
  std::span<const std::byte> memory = ledger.memory;
  if (!memory.empty() && bytes >= memory.data() && bytes + sizeof(What) <= memory.data() + memory.size()) {
    std::memcpy(copy, bytes, sizeof(What));
    return true;
  }
  iovec local{copy, sizeof(What)}, remote{const_cast<What*>(at), sizeof(What)};
  return at && ::process_vm_readv(raw(ledger.tracer), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof(What));
}

/// Restores single bytes of one process, page by page.
class CodeWriter {
 public:
  explicit CodeWriter(int memory) : memory_(memory) {}
  CodeWriter(const CodeWriter&) = delete;
  CodeWriter& operator=(const CodeWriter&) = delete;
  ~CodeWriter() { flush(); }

  void restore(uint64_t packed) {
    uint64_t address = site_address(packed), page = address & ~uint64_t{kCodePageBytes - 1};
    if (page != page_) load(page);
    uint8_t& byte = bytes_[address - page];
    if (!is_loaded_ || byte != kInt3) return;
    byte = site_original(packed);
    first_ = address < first_ ? address : first_;
    end_ = address + 1 > end_ ? address + 1 : end_;
  }

 private:
  void load(uint64_t page) {
    flush();
    page_ = page;
    first_ = ~uint64_t{0};
    end_ = 0;
    is_loaded_ = ::pread(memory_, bytes_, sizeof bytes_, static_cast<off_t>(page)) == ssize_t{sizeof bytes_};
  }
  /// The bytes between two restored ones are written as they were read: every thread that could change them is stopped
  /// or hits a breakpoint.
  void flush() {
    if (end_ == 0) return;
    [[maybe_unused]] ssize_t written =
        ::pwrite(memory_, bytes_ + (first_ - page_), end_ - first_, static_cast<off_t>(first_));
    end_ = 0;
  }

  int memory_;
  uint64_t page_ = ~uint64_t{0};
  uint64_t first_ = 0, end_ = 0;
  bool is_loaded_ = false;
  uint8_t bytes_[kCodePageBytes];
};

/// The latest record first.
template <typename Visit>
void each_site(const TracerLedger& ledger, const LedgerSitePage* page, Visit visit) {
  alignas(LedgerSitePage) static std::byte copy[sizeof(LedgerSitePage)];
  while (page && read_from(ledger, page, copy)) {
    auto& sites = *reinterpret_cast<const LedgerSitePage*>(copy);
    for (size_t i = sites.count; i-- > 0;) visit(sites.sites[i]);
    page = sites.older;
  }
}

/// The last record of an address is the true one.
void restore_code_of(const TracerLedger& ledger, const LedgerImage& image, int memory) {
  CodeWriter writer(memory);
  each_site(ledger, image.newest, [&](uint64_t packed) { writer.restore(packed); });
}

/// A counter that is no higher than before the tracer raised it was not raised in this memory, or is lowered already.
void lower_semaphores_of(const TracerLedger& ledger, const LedgerImage& image, int memory) {
  each_site(ledger, image.semaphores, [&](uint64_t packed) {
    auto at = static_cast<off_t>(site_address(packed));
    uint16_t counter = 0;
    if (::pread(memory, &counter, sizeof counter, at) != ssize_t{sizeof counter} || counter <= site_original(packed))
      return;
    counter--;
    [[maybe_unused]] ssize_t written = ::pwrite(memory, &counter, sizeof counter, at);
  });
}

/// Threads that have run into a breakpoint wait for the mark (TrapGuard).
void restore_image(const TracerLedger& ledger, const LedgerImage* at, int memory) {
  alignas(LedgerImage) std::byte copy[sizeof(LedgerImage)];
  if (!read_from(ledger, at, copy)) return;
  auto& image = *reinterpret_cast<const LedgerImage*>(copy);
  restore_code_of(ledger, image, memory);
  lower_semaphores_of(ledger, image, memory);
  constexpr uint64_t kRestored = 1;
  if (uint64_t mark = image.mark; mark != 0) {
    [[maybe_unused]] ssize_t written = ::pwrite(memory, &kRestored, sizeof kRestored, static_cast<off_t>(mark));
  }
}

/// Whether the process has the handler that waits for the mark, and no mark yet: not so where it has executed a
/// program.
bool awaits_mark(const TracerLedger& ledger, const LedgerImage* at, int memory) {
  alignas(LedgerImage) std::byte copy[sizeof(LedgerImage)];
  if (!read_from(ledger, at, copy)) return false;
  uint64_t mark = reinterpret_cast<const LedgerImage*>(copy)->mark, value = 0;
  return mark != 0 && ::pread(memory, &value, sizeof value, static_cast<off_t>(mark)) == ssize_t{sizeof value} &&
         value == 0;
}

/// The lines of /proc/PID/status about a tracee's family.
struct Family {
  char state = '\0';
  pid_t parent = 0, tracer = 0;
};

Family family_of(const char* pid) {
  char path[64], text[2048];
  std::snprintf(path, sizeof path, "%s/%.20s/status", proc_root(), pid);
  OwnedFd file(::open(path, O_RDONLY | O_CLOEXEC));
  ssize_t got = ::read(file.number(), text, sizeof text - 1);
  if (got <= 0) return {};
  text[got] = '\0';
  auto number_behind = [&](const char* name) {
    const char* at = std::strstr(text, name);
    return at ? static_cast<pid_t>(std::strtol(at + std::strlen(name), nullptr, 10)) : 0;
  };
  const char* state = std::strstr(text, "\nState:\t");
  return {state ? state[8] : '\0', number_behind("\nPPid:\t"), number_behind("\nTracerPid:\t")};
}

/// A pid as /proc has it.
struct Decimal {
  explicit Decimal(pid_t pid) { *std::to_chars(text, text + sizeof text - 1, pid).ptr = '\0'; }
  char text[16];
};

/// The tracees are released then, and its descriptors closed.
bool is_dead(Tid tracer) {
  char state = family_of(Decimal(raw(tracer)).text).state;
  return state == 'Z' || state == '\0';
}

OwnedFd open_memory(const char* pid) {
  char path[64];
  std::snprintf(path, sizeof path, "%s/%.20s/mem", proc_root(), pid);
  return OwnedFd(::open(path, O_RDWR | O_CLOEXEC));
}

class Rescue {
 public:
  explicit Rescue(const TracerLedger& ledger)
      : ledger_(ledger), is_late_(is_dead(ledger.tracer)), tracees_have_(is_late_ ? 0 : raw(ledger.tracer)) {
    if (!read_from(ledger_, ledger.root, root_)) root().count = 0;
  }

  bool is_late() const { return is_late_; }

  bool has_spaces() {
    bool found = false;
    for_each_space([&](const LedgerSpace&) { return found = true, false; });
    return found;
  }

  /// Every recorded address space, through the tracer's own descriptors as long as it has them: /proc may refuse one
  /// that is not the tracee's ancestor (Yama).
  void restore_recorded() {
    OwnedFd tracer(static_cast<int>(::syscall(SYS_pidfd_open, raw(ledger_.tracer), 0)));
    for_each_space([&](const LedgerSpace& space) {
      OwnedFd memory = is_late_
                           ? open_memory(Decimal(space.pid).text)
                           : OwnedFd(static_cast<int>(::syscall(SYS_pidfd_getfd, tracer.number(), space.memory, 0)));
      if (memory) restore_image(ledger_, space.image, memory.number());
      return true;
    });
  }

  /// Tracees that the ledger does not have: children with a birth that the tracer had not handled. They have their
  /// parent's code.
  void restore_unrecorded() {
    OwnedFd processes(::open(proc_root(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    alignas(uint64_t) static char entries[16384];
    for (long got; (got = ::syscall(SYS_getdents64, processes.number(), entries, sizeof entries)) > 0;)
      for (long at = 0; at < got;) {
        auto* entry = reinterpret_cast<const DirectoryEntry*>(entries + at);
        restore_if_unrecorded(entry->name);
        at += entry->length;
      }
  }

 private:
  /// As getdents64(2) has it.
  struct DirectoryEntry {
    uint64_t inode, offset;
    uint16_t length;
    uint8_t type;
    char name[1];
  };

  LedgerRoot& root() { return *reinterpret_cast<LedgerRoot*>(root_); }

  void restore_if_unrecorded(const char* pid) {
    if (pid[0] < '1' || pid[0] > '9') return;
    Family family = family_of(pid);
    if (family.tracer != tracees_have_ || is_recorded(static_cast<pid_t>(std::strtol(pid, nullptr, 10)))) return;
    if (OwnedFd memory = open_memory(pid)) restore_as(family.parent, memory.number());
  }

  /// Until `visit` returns false.
  template <typename Visit>
  void for_each_space(Visit visit) {
    alignas(LedgerSpacePage) std::byte copy[sizeof(LedgerSpacePage)];
    size_t count = root().count < LedgerRoot::kPages ? root().count.load() : LedgerRoot::kPages;
    for (size_t i = 0; i < count; i++) {
      if (!read_from(ledger_, root().pages[i], copy)) continue;
      for (const LedgerSpace& space : reinterpret_cast<const LedgerSpacePage*>(copy)->spaces)
        if (space.image.load() && !visit(space)) return;
    }
  }

  bool is_recorded(pid_t pid) {
    bool found = false;
    for_each_space([&](const LedgerSpace& space) { return found = space.pid == pid, !found; });
    return found;
  }

  /// By the image of that process; where it is not known (CLONE_PARENT), by every one.
  void restore_as(pid_t parent, int memory) {
    bool is_known = is_recorded(parent);
    if (!is_known && is_late_) return;  // anything
    for_each_space([&](const LedgerSpace& space) {
      bool is_parents = !is_known || space.pid == parent;
      if (is_parents && (!is_late_ || awaits_mark(ledger_, space.image, memory)))
        restore_image(ledger_, space.image, memory);
      return true;
    });
  }

  const TracerLedger& ledger_;
  bool is_late_;        ///< the tracer is dead
  pid_t tracees_have_;  ///< as their tracer
  alignas(LedgerRoot) std::byte root_[sizeof(LedgerRoot)];
};

}  // namespace

void restore_code(const TracerLedger& ledger) {
  Rescue rescue(ledger);
  if (!rescue.has_spaces()) return;
  rescue.restore_recorded();
  rescue.restore_unrecorded();
}

void restore_late_children(const TracerLedger& ledger) {
  Rescue rescue(ledger);
  if (rescue.is_late() && rescue.has_spaces()) rescue.restore_unrecorded();
}

}  // namespace strut
