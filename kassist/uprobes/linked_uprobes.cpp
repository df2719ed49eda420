#include "kassist/uprobes/linked_uprobes.hpp"

#include <climits>
#include <optional>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned_fd.hpp"

namespace strut {
namespace {

// The part of struct bpf_link_info (<linux/bpf.h>) that is about uprobes; Debian 12's header ends before it.
struct LinkOfMany {
  uint64_t path, offsets, counters, cookies;
  uint32_t path_bytes, count, flags, pid;
};
struct LinkOfEvent {
  uint32_t event, reserved;
  uint64_t path;
  uint32_t path_bytes, offset;  // the kernel has no room for the upper half of an offset
  uint64_t cookie, counter;
};
struct LinkFacts {
  uint32_t type, id, program, reserved;
  union {
    LinkOfMany many;
    LinkOfEvent event;
  };
};
constexpr uint32_t kLinkOfEvent = 7, kLinkOfMany = 12;  // BPF_LINK_TYPE_PERF_EVENT, BPF_LINK_TYPE_UPROBE_MULTI
constexpr uint32_t kUprobeEvent = 1, kUretprobeEvent = 2;         // BPF_PERF_EVENT_UPROBE, BPF_PERF_EVENT_URETPROBE

int bpf(int command, bpf_attr& attributes) {
  return static_cast<int>(::syscall(SYS_bpf, command, &attributes, sizeof attributes));
}

std::optional<uint32_t> link_after(uint32_t id) {
  bpf_attr attributes{};
  attributes.start_id = id;
  if (bpf(BPF_LINK_GET_NEXT_ID, attributes) != 0) return std::nullopt;
  return attributes.next_id;
}

/// Empty: it is gone. If its owner closes it meanwhile, the uprobes go when this descriptor is closed.
OwnedFd link_of(uint32_t id) {
  bpf_attr attributes{};
  attributes.link_id = id;
  return OwnedFd(bpf(BPF_LINK_GET_FD_BY_ID, attributes));
}

/// Completes facts whose addresses and sizes say where there is room.
bool learn(const OwnedFd& link, LinkFacts& facts) {
  bpf_attr attributes{};
  attributes.info.bpf_fd = static_cast<uint32_t>(link.number());
  attributes.info.info_len = sizeof facts;
  attributes.info.info = reinterpret_cast<uintptr_t>(&facts);
  return bpf(BPF_OBJ_GET_INFO_BY_FD, attributes) == 0;
}

template <typename Part>
std::optional<std::string> path_of(const OwnedFd& link, Part LinkFacts::* part) {
  char path[PATH_MAX]{};
  LinkFacts facts{};
  (facts.*part).path = reinterpret_cast<uintptr_t>(path);
  (facts.*part).path_bytes = sizeof path;
  if (!learn(link, facts)) return std::nullopt;
  path[sizeof path - 1] = '\0';
  return path;
}

std::vector<uint64_t> offsets_of_many(const OwnedFd& link, uint32_t count) {
  std::vector<uint64_t> offsets(count);
  LinkFacts facts{};
  facts.many.offsets = reinterpret_cast<uintptr_t>(offsets.data());
  facts.many.count = count;
  if (count == 0 || !learn(link, facts)) offsets.clear();
  return offsets;
}

}  // namespace

std::vector<UprobesInFile> linked_uprobes(const std::function<bool(const std::string& path)>& is_wanted) {
  std::vector<UprobesInFile> uprobes;
  for (auto id = link_after(0); id; id = link_after(*id)) {
    OwnedFd link = link_of(*id);
    LinkFacts facts{};
    if (!link || !learn(link, facts)) continue;
    bool is_of_many = facts.type == kLinkOfMany;
    bool is_of_event = facts.type == kLinkOfEvent && (facts.event.event == kUprobeEvent || facts.event.event == kUretprobeEvent);
    if (!is_of_many && !is_of_event) continue;
    auto path = is_of_many ? path_of(link, &LinkFacts::many) : path_of(link, &LinkFacts::event);
    if (!path || !is_wanted(*path)) continue;
    uprobes.push_back(
        {*path, is_of_many ? offsets_of_many(link, facts.many.count) : std::vector<uint64_t>{facts.event.offset}});
  }
  return uprobes;
}

}  // namespace strut
