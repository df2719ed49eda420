// Which addresses of this process are to be halted at, as its files are mapped and unmapped.
#include "trace/armed_code.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strut::test {
namespace {

constexpr size_t kPage = 4096;

/// Keeps inserted breakpoints, and refuses those that the test chooses.
struct Host final : BreakpointHost {
  std::map<uint64_t, uint64_t> tags;
  std::vector<uint64_t> removed, forgotten;
  uint64_t refused = 0;

  std::vector<size_t> insert(Pid, std::span<const HostBreakpoint> breakpoints) override {
    std::vector<size_t> not_inserted;
    for (size_t i = 0; i < breakpoints.size(); i++) {
      if (raw(breakpoints[i].at) == refused) not_inserted.push_back(i);
      else tags[raw(breakpoints[i].at)] = breakpoints[i].tag;
    }
    return not_inserted;
  }
  void remove(Pid, std::span<const Addr> addresses) override {
    for (Addr at : addresses) removed.push_back(raw(at));
  }
  void forget(Pid, std::span<const Addr> addresses) override {
    for (Addr at : addresses) forgotten.push_back(raw(at));
  }
};

struct Site {
  uint64_t file_offset = 0;
  std::optional<uint64_t> uprobe_offset;
};

/// A file of three pages; where they are mapped.
class File {
 public:
  File() {
    char name[] = "/tmp/strut-armed.XXXXXX";
    fd_ = mkstemp(name);
    REQUIRE(fd_ >= 0);
    unlink(name);
    REQUIRE(ftruncate(fd_, 3 * kPage) == 0);
    REQUIRE(fstat(fd_, &status_) == 0);
  }
  ~File() { close(fd_); }
  uint64_t map(size_t offset, size_t size) {
    void* at = mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd_, static_cast<off_t>(offset));
    REQUIRE(at != MAP_FAILED);
    return reinterpret_cast<uintptr_t>(at);
  }
  CodeSites<Site> code(const std::vector<uint64_t>& offsets, std::optional<Pid> pid = {}) const {
    CodeSites<Site> code{{}, status_.st_dev, status_.st_ino, {}, {}, pid};
    for (uint64_t offset : offsets) code.sites.push_back({offset, {}});
    return code;
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
  struct stat status_{};
};

void unmap(uint64_t at, size_t size) { munmap(reinterpret_cast<void*>(at), size); }
const Pid kSelf{getpid()};
using Refs = std::vector<ArmedCode::SiteRef>;
/// Uprobes of other tracers, and the lines about them.
struct Others {
  std::vector<UprobesInFile> uprobes;
  std::vector<std::string> lines;
  UprobeConflictReport report() {
    return {[this](const auto& is_wanted) {
              std::vector<UprobesInFile> wanted;
              for (const UprobesInFile& each : uprobes)
                if (is_wanted(each.path)) wanted.push_back(each);
              return wanted;
            },
            [this](std::string_view line) { lines.emplace_back(line); }};
  }
};

Refs refs(const ArmedCode& armed, uint64_t tag) { return {armed.sites(tag).begin(), armed.sites(tag).end()}; }

TEST_CASE("armed code: what a mapping shows of a file is armed once, what it does not show later") {
  File file;
  Host host;
  ArmedCode armed(host);
  uint32_t index = armed.add(file.code({0x10, kPage + 0x20, 2 * kPage + 0x30}));
  uint64_t at = file.map(kPage, kPage);
  CHECK(armed.update(kSelf).empty());
  REQUIRE(host.tags.size() == 1);
  CHECK(refs(armed, host.tags.at(at + 0x20)) == Refs{{index, 1}});
  host.tags.clear();
  CHECK(armed.update(kSelf).empty());
  CHECK(host.tags.empty());
  uint64_t all = file.map(0, 3 * kPage);
  armed.update(kSelf);
  CHECK(host.tags.size() == 3);
  CHECK(host.tags.contains(all + 2 * kPage + 0x30));
  CHECK(armed.instructions() == 4);
  unmap(at, kPage);
  armed.update(kSelf);
  CHECK(host.removed.empty());
  CHECK(host.forgotten == std::vector<uint64_t>{at + 0x20});
  unmap(all, 3 * kPage);
}

TEST_CASE("armed code: one address may be several sites', of one code or of two") {
  File file;
  Host host;
  ArmedCode armed(host);
  uint32_t first = armed.add(file.code({0x10, 0x10})), second = armed.add(file.code({0x10, 0x18}));
  uint64_t at = file.map(0, kPage);
  armed.update(kSelf);
  CHECK(host.tags.size() == 2);
  CHECK(refs(armed, host.tags.at(at + 0x10)) == Refs{{first, 0}, {first, 1}, {second, 0}});
  CHECK(refs(armed, host.tags.at(at + 0x18)) == Refs{{second, 1}});
  unmap(at, kPage);
}

TEST_CASE("armed code: what cannot be inserted is said, and not tried again") {
  File file;
  Host host;
  ArmedCode armed(host);
  uint32_t index = armed.add(file.code({0x10, 0x20, 0x20}));
  uint64_t at = file.map(0, kPage);
  host.refused = at + 0x20;
  CHECK(armed.update(kSelf) == Refs{{index, 1}, {index, 2}});
  CHECK(armed.instructions() == 1);
  CHECK(armed.update(kSelf).empty());
  unmap(at, kPage);
}

TEST_CASE("armed code: breakpoints for one process are removed from its children, and from no other memory") {
  File file;
  Host host;
  ArmedCode armed(host);
  armed.add(file.code({0x10}, kSelf));
  armed.add(file.code({0x20}));
  armed.add(file.code({0x30}, Pid{INT32_MAX}));
  uint64_t at = file.map(0, kPage);
  armed.update(kSelf);
  CHECK(host.tags.size() == 2);
  CHECK_FALSE(host.tags.contains(at + 0x30));
  armed.watch_linker(kSelf, Addr{0x5000});
  CHECK(ArmedCode::is_linker(refs(armed, host.tags.at(0x5000)).at(0)));
  armed.copy(kSelf, Pid{INT32_MAX - 1});
  CHECK(host.removed == std::vector<uint64_t>{at + 0x10});
  unmap(at, kPage);
}

TEST_CASE("armed code: a process that executes another program begins anew") {
  File file;
  Host host;
  ArmedCode armed(host);
  armed.add(file.code({0x10}));
  uint64_t at = file.map(0, kPage);
  armed.update(kSelf);
  host.tags.clear();
  armed.forget(kSelf);
  armed.update(kSelf);
  CHECK(host.tags.contains(at + 0x10));
  CHECK(host.forgotten.empty());
  unmap(at, kPage);
}

TEST_CASE("armed code: uprobes of other tracers at breakpoints are reported, once a file") {
  File file, other;
  Host host;
  Others others;
  ArmedCode armed(host, others.report());
  armed.add(file.code({0x10, 0x20, 0x20, 0x30, kPage + 0x40}));
  armed.add(file.code({0x20}));
  armed.add(other.code({0x10}));
  // At 0x30 strut's breakpoint is refused, nothing is mapped of the second page, and there is none at 0x50.
  others.uprobes = {{file.path(), {0x50, 0x20, 0x30}}, {file.path(), {kPage + 0x40}}, {"/dev/null", {0x10}}};
  uint64_t at = file.map(0, kPage);
  host.refused = at + 0x30;
  armed.update(kSelf);
  REQUIRE(others.lines.size() == 1);
  CHECK(others.lines[0].starts_with(file.path() + ": another tracer has uprobes at 1 of strut's breakpoints: "));
  others.uprobes.push_back({other.path(), {0x10}});
  uint64_t beside = other.map(0, kPage);
  armed.update(kSelf);
  armed.end_run();
  REQUIRE(others.lines.size() == 2);
  CHECK(others.lines[1].starts_with(other.path() + ": "));
  unmap(at, kPage);
  unmap(beside, kPage);
}

TEST_CASE("armed code: uprobes that came after the breakpoints are found when the last process goes") {
  File file;
  Host host;
  Others others;
  ArmedCode armed(host, others.report());
  armed.add(file.code({0x10}));
  uint64_t at = file.map(0, kPage);
  armed.update(kSelf);
  CHECK(others.lines.empty());
  others.uprobes = {{file.path(), {0x10}}};
  armed.forget(kSelf);
  CHECK(others.lines.size() == 1);
  unmap(at, kPage);
}

}  // namespace
}  // namespace strut::test
