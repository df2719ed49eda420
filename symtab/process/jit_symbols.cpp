#include "symtab/process/jit_symbols.hpp"

#include <algorithm>
#include <charconv>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

constexpr size_t kMaxBytes = size_t{256} << 20;  // for a file: a long-lived JIT writes tens of megabytes
constexpr size_t kLongestName = 4096;

/// Hexadecimal digits at the front, and the blank behind them; taken off.
std::optional<uint64_t> take_hex(std::string_view& text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  size_t used = static_cast<size_t>(end - text.data());
  if (error != std::errc{} || used == text.size() || text[used] != ' ') return std::nullopt;
  text.remove_prefix(used + 1);
  return value;
}

}  // namespace

void JitSymbols::make_room(uint64_t begin, uint64_t end) {
  auto at = ranges_.lower_bound(begin);
  if (at != ranges_.begin()) {
    auto before = std::prev(at);
    if (before->second.end > begin) before->second.end = begin;  // the part after `end` is old code, too
  }
  while (at != ranges_.end() && at->first < end) at = ranges_.erase(at);
}

void JitSymbols::add(uint64_t begin, uint64_t bytes, std::string_view name) {
  if (bytes == 0 || begin + bytes < begin || name.empty()) return;
  make_room(begin, begin + bytes);
  ranges_[begin] = {begin + bytes, std::string(name.substr(0, kLongestName))};
}

void JitSymbols::read_perf_map(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    auto begin = take_hex(line);
    auto bytes = begin ? take_hex(line) : std::nullopt;
    if (bytes) add(*begin, *bytes, line);
  }
}

void JitSymbols::read_jitdump(std::span<const std::byte> bytes) {
  constexpr uint32_t kMagic = 0x4a695444;
  ByteReader reader(bytes);
  if (reader.take<uint32_t>() != kMagic) return;
  reader.skip(4);  // version
  auto header_bytes = reader.take<uint32_t>();
  reader.seek(header_bytes);
  while (reader.ok()) {
    size_t begins = reader.at();
    auto type = reader.take<uint32_t>(), size = reader.take<uint32_t>();
    reader.skip(8);  // when
    if (!reader.ok() || size < reader.at() - begins || size > bytes.size() - begins) return;
    read_record(type, ByteReader(bytes.subspan(reader.at(), begins + size - reader.at())));
    reader.seek(begins + size);
  }
}

void JitSymbols::read_record(uint32_t type, ByteReader record) {
  enum RecordType : uint32_t { kLoad = 0, kMove = 1 };
  record.skip(16);  // pid, tid, vma
  auto address = record.take<uint64_t>();
  if (type == kLoad) {
    auto code_bytes = record.take<uint64_t>();
    record.skip(8);  // index
    std::string_view name = record.take_string();
    if (record.ok()) add(address, code_bytes, name);
  } else if (type == kMove) {
    auto to = record.take<uint64_t>(), code_bytes = record.take<uint64_t>();
    auto moved = ranges_.find(address);
    if (!record.ok() || moved == ranges_.end()) return;
    std::string name = std::move(moved->second.name);
    ranges_.erase(moved);
    add(to, code_bytes, name);
  }
}

std::optional<JitSymbols::Found> JitSymbols::at(Addr address) const {
  auto above = ranges_.upper_bound(raw(address));
  if (above == ranges_.begin()) return std::nullopt;
  const auto& [begin, range] = *std::prev(above);
  if (raw(address) >= range.end) return std::nullopt;
  return Found{range.name, raw(address) - begin};
}

namespace {

/// A regular file that belongs to `user` or root. Follows no link and does not block. Empty: there is none.
std::string read_owned(const std::string& path, uid_t user) {
  std::string text;
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return text;
  struct stat status{};
  bool trusted = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (status.st_uid == user || status.st_uid == 0);
  if (trusted) text.resize(std::min<size_t>(static_cast<size_t>(status.st_size), kMaxBytes));
  size_t have = 0;
  for (ssize_t got;
       have < text.size() && (got = ::pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(have))) > 0;)
    have += static_cast<size_t>(got);
  text.resize(have);
  ::close(fd);
  return text;
}

}  // namespace

bool is_jitdump(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("jit-") && name.ends_with(".dump");
}

std::vector<std::string> jit_files(Pid pid, std::span<const Mapping> mappings) {
  std::string root = proc_path(raw(pid), "root").text;
  auto status = process_status(leader_of(pid));
  int32_t own_pid = status && !status->nested_pids.empty() ? status->nested_pids.back() : raw(pid);
  std::vector<std::string> files{root + "/tmp/perf-" + std::to_string(own_pid) + ".map"};
  for (const Mapping& mapping : mappings)
    if (is_jitdump(mapping.path) && files.back() != root + mapping.path) files.push_back(root + mapping.path);
  return files;
}

JitSymbols read_jit_symbols(Pid pid, std::span<const Mapping> mappings) {
  JitSymbols symbols;
  auto status = process_status(leader_of(pid));
  if (!status) return symbols;
  bool is_map = true;
  for (const std::string& path : jit_files(pid, mappings)) {
    std::string bytes = read_owned(path, status->effective_uid);
    if (is_map) symbols.read_perf_map(bytes);
    else symbols.read_jitdump(std::as_bytes(std::span(bytes)));
    is_map = false;
  }
  return symbols;
}

}  // namespace strut
