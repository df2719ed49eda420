// Target memory and surroundings written by a test.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "syscalls/call_context.hpp"

namespace strut::test {

/// A map of address → bytes. Gaps between the pieces are not mapped; `unseen` marks an address range that exists
/// but was not captured. Pieces that touch read as one. Counts the requested reads.
class ScriptedMemory : public Memory {
 public:
  ScriptedMemory& put(uint64_t at, std::string_view bytes) {
    for (size_t i = 0; i < bytes.size(); i++) bytes_[at + i] = bytes[i];
    return *this;
  }
  template <typename T>
  ScriptedMemory& put_object(uint64_t at, const T& object) {
    return put(at, {reinterpret_cast<const char*>(&object), sizeof object});
  }
  ScriptedMemory& unseen(uint64_t from, uint64_t to) {
    unseen_.push_back({from, to});
    return *this;
  }

  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    reads++;
    for (size_t i = 0; i < out.size(); i++) {
      auto byte = bytes_.find(raw(at) + i);
      if (byte == bytes_.end()) return {i, is_unseen(raw(at) + i)};
      out[i] = static_cast<std::byte>(byte->second);
    }
    return {out.size(), false};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override {
    reads++;
    for (size_t i = 0; i < out.size(); i++) {
      auto byte = bytes_.find(raw(at) + i);
      if (byte == bytes_.end()) return {i, is_unseen(raw(at) + i)};
      out[i] = byte->second;
      if (out[i] == '\0') return {i + 1, false};
    }
    return {out.size(), false};
  }

  size_t reads = 0;

 private:
  bool is_unseen(uint64_t at) const {
    return std::any_of(unseen_.begin(), unseen_.end(),
                       [&](auto range) { return at >= range.first && at < range.second; });
  }
  std::map<uint64_t, char> bytes_;
  std::vector<std::pair<uint64_t, uint64_t>> unseen_;
};

/// Descriptors and names written by a test; everything else is unknown.
class ScriptedSurroundings : public CallContext {
 public:
  std::map<int, FdTarget> fds;
  std::map<int32_t, std::string> comms;
  std::map<int32_t, int32_t> pids;
  std::map<int, uint8_t> netlink_protocols;
  std::map<uint16_t, std::string> generic_families;

  std::optional<FdTarget> fd_target(int fd, bool) override { return find(fds, fd); }
  std::optional<std::string> comm(int32_t id) override { return find(comms, id); }
  std::optional<int32_t> translate_pid(int32_t id) override { return find(pids, id); }
  std::optional<NetlinkTarget> netlink_socket(int fd) override {
    auto protocol = find(netlink_protocols, fd);
    return protocol ? std::optional(NetlinkTarget{*protocol}) : std::nullopt;
  }
  std::optional<std::string> generic_family(uint16_t number) override { return find(generic_families, number); }

 private:
  template <typename Map>
  static std::optional<typename Map::mapped_type> find(const Map& map, typename Map::key_type key) {
    auto at = map.find(key);
    if (at == map.end()) return std::nullopt;
    return at->second;
  }
};

}  // namespace strut::test
