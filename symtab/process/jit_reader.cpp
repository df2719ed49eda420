#include "symtab/process/jit_reader.hpp"

#include <sys/stat.h>

#include "base/clock.hpp"

namespace strut {

namespace {

constexpr uint64_t kLookAgain_ns = 100'000'000;  // at the mappings

/// -1: there is no such file.
std::vector<int64_t> sizes_of(const std::vector<std::string>& paths) {
  std::vector<int64_t> sizes;
  for (const std::string& path : paths) {
    struct stat status{};
    sizes.push_back(::stat(path.c_str(), &status) == 0 ? status.st_size : -1);
  }
  return sizes;
}

}  // namespace

std::optional<JitSymbols::Found> JitReader::at(Pid pid, Addr address) {
  if (auto found = symbols_.at(address)) return found;
  uint64_t time = monotonic_ns();
  if (looked_ns_ == 0 || time - looked_ns_ >= kLookAgain_ns) {
    looked_ns_ = time;
    if (auto mappings = maps_of(pid)) dumps_ = std::move(*mappings);
    std::erase_if(dumps_, [](const Mapping& mapping) { return !is_jitdump(mapping.path); });
    files_ = jit_files(pid, dumps_);
  }
  std::vector<int64_t> sizes = sizes_of(files_);
  if (sizes == sizes_) return std::nullopt;
  sizes_ = std::move(sizes);
  symbols_ = read_jit_symbols(pid, dumps_);
  return symbols_.at(address);
}

}  // namespace strut
