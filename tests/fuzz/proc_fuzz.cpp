// Reads the texts of /proc (maps, status, fdinfo, stat) from the fuzzer's bytes: text that another process controls:
// its name, its paths, its threads. The first byte selects the file.
//
// fuzz: rooms: base syscalls x86 procfs process trace
#include <cstdint>
#include <cstdlib>
#include <string>

#include "procfs/fd_details.hpp"
#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

namespace {

/// The input in a block of its own, so that a read past its end is seen.
class Copied {
 public:
  explicit Copied(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    if (size_ != 0) std::memcpy(bytes_, text.data(), size_);
  }
  ~Copied() { delete[] bytes_; }
  Copied(const Copied&) = delete;
  std::string_view text() const { return {bytes_, size_}; }

 private:
  char* bytes_;
  size_t size_;
};

void read_mapping(std::string_view line) {
  auto mapping = parse_mapping(line);
  if (!mapping) return;
  if (mapping->end < mapping->start || mapping->path.size() > line.size()) std::abort();
  if (mapping->path.starts_with(' ')) std::abort();
}

void read_status(std::string_view text) {
  constexpr size_t kDeepest = 32;
  auto status = parse_process_status(text);
  if (status && (status->nested_tids.size() > kDeepest || status->nested_pids.size() > kDeepest)) std::abort();
}

void read_fdinfo(std::string_view text) {
  constexpr std::string_view kLinks[] = {"anon_inode:[eventfd]", "anon_inode:[pidfd]", "anon_inode:[signalfd]",
                                         "/dev/ptmx", ""};
  for (std::string_view link : kLinks) {
    auto details = parse_fdinfo(link, text);
    if (auto* pidfd = std::get_if<PidfdTarget>(&details); pidfd && pidfd->pid <= 0) std::abort();
    if (details.index() != 0 && !link.starts_with("anon_inode:")) std::abort();
  }
  std::string peer = parse_pty_peer(text);
  if (!peer.empty() && peer.find_first_not_of("0123456789", 9) != std::string::npos) std::abort();
}

void read_stat(std::string_view text) {
  auto cpu = parse_last_cpu(text);
  if (cpu && *cpu < 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  uint8_t file = input.take<uint8_t>();
  Copied copied(input.text(size));
  switch (file % 4) {
    case 0: read_mapping(copied.text()); break;
    case 1: read_status(copied.text()); break;
    case 2: read_fdinfo(copied.text()); break;
    default: read_stat(copied.text());
  }
  return 0;
}
