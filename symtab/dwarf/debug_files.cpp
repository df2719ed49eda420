#include "symtab/dwarf/debug_files.hpp"

#include <cstdlib>

#include <lzma.h>
#include <zlib.h>

#include "process/caller.hpp"
#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

constexpr const char* kDebugRoot = "/usr/lib/debug";
/// A mini debug file of a big program unpacks to a few megabytes.
constexpr size_t kMaxMiniBytes = 256 << 20;

struct DebugLink {
  std::string name;
  uint32_t checksum;  ///< CRC-32 of the debug file
};

/// .gnu_debuglink: a file name, padding to four bytes, a checksum.
std::optional<DebugLink> debug_link(const ElfFile& file) {
  const Section* section = file.section(".gnu_debuglink");
  if (!section) return std::nullopt;
  ByteReader reader(file.contents(*section));
  DebugLink link{std::string(reader.take_string()), 0};
  reader.seek((reader.at() + 3) & ~size_t{3});
  link.checksum = reader.take<uint32_t>();
  if (!reader.ok() || link.name.empty() || link.name.find('/') != std::string::npos) return std::nullopt;
  return link;
}

/// The cache of debuginfod clients (debuginfod-find(1), "CACHE").
std::string debuginfod_cache() {
  if (const char* path = trusted_variable("DEBUGINFOD_CACHE_PATH")) return path;
  if (const char* cache = trusted_variable("XDG_CACHE_HOME")) return std::string(cache) + "/debuginfod_client";
  if (const char* home = trusted_variable("HOME")) return std::string(home) + "/.cache/debuginfod_client";
  return {};
}

uint32_t checksum_of(const ElfFile& file) {
  std::span<const std::byte> bytes = file.bytes();
  return static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

bool belongs(const ElfFile& candidate, const std::string& build_id, const std::optional<DebugLink>& link) {
  std::string its_id = candidate.build_id();
  if (!build_id.empty() && !its_id.empty()) return its_id == build_id;
  return link && checksum_of(candidate) == link->checksum;
}

}  // namespace

std::vector<std::string> debug_file_candidates(const ElfFile& file, const std::string& path, const std::string& root) {
  std::vector<std::string> candidates;
  std::string id = file.build_id();
  if (id.size() > 2) {
    candidates.push_back(root + kDebugRoot + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
    if (std::string cache = debuginfod_cache(); !cache.empty()) candidates.push_back(cache + "/" + id + "/debuginfo");
  }
  std::string directory = path.substr(0, path.rfind('/') + 1);
  if (auto link = debug_link(file); link && directory.starts_with('/')) {
    candidates.push_back(root + directory + link->name);
    candidates.push_back(root + directory + ".debug/" + link->name);
    candidates.push_back(root + kDebugRoot + directory + link->name);
  }
  return candidates;
}

std::optional<ElfFile> find_debug_file(const ElfFile& file, const std::string& path, const std::string& root) {
  std::string id = file.build_id();
  std::optional<DebugLink> link = debug_link(file);
  for (const std::string& candidate : debug_file_candidates(file, path, root)) {
    auto found = ElfFile::open(candidate);
    if (found && belongs(*found, id, link)) return std::move(*found);
  }
  return std::nullopt;
}

std::optional<ElfFile> find_supplementary_file(const ElfFile& file, const std::string& root) {
  const Section* section = file.section(".gnu_debugaltlink");
  if (!section) return std::nullopt;
  ByteReader reader(file.contents(*section));
  std::string path(reader.take_string());
  if (!reader.ok() || path.empty()) return std::nullopt;
  std::string id = hexadecimal(reader.take_bytes(reader.left()));
  std::vector<std::string> candidates{path.starts_with('/') ? root + path
                                                            : file.name().substr(0, file.name().rfind('/') + 1) + path};
  if (id.size() > 2)
    candidates.push_back(root + kDebugRoot + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
  for (const std::string& candidate : candidates) {
    auto found = ElfFile::open(candidate);
    if (found && found->build_id() == id) return std::move(*found);
  }
  return std::nullopt;
}

std::optional<ElfFile> mini_debug_file(const ElfFile& file) {
  const Section* section = file.section(".gnu_debugdata");
  if (!section) return std::nullopt;
  std::span<const std::byte> packed = file.contents(*section);
  std::vector<std::byte> bytes(packed.size() * 4);
  while (bytes.size() <= kMaxMiniBytes) {
    uint64_t memory_limit = kMaxMiniBytes;
    size_t in = 0, out = 0;
    lzma_ret done =
        ::lzma_stream_buffer_decode(&memory_limit, 0, nullptr, reinterpret_cast<const uint8_t*>(packed.data()), &in,
                                    packed.size(), reinterpret_cast<uint8_t*>(bytes.data()), &out, bytes.size());
    if (done == LZMA_OK) {
      bytes.resize(out);
      auto mini = ElfFile::over(std::move(bytes), file.name() + "(.gnu_debugdata)");
      return mini ? std::optional(std::move(*mini)) : std::nullopt;
    }
    if (done != LZMA_BUF_ERROR || bytes.empty()) return std::nullopt;
    bytes.resize(bytes.size() * 2);
  }
  return std::nullopt;
}

}  // namespace strut
