#include "syscalls/types/process/new_namespaces.hpp"

#include <string>

namespace strut {
namespace {

/// CLONE_NEW bits of <linux/sched.h> and the names of /proc/PID/ns, in the order of names.
struct NamespaceKind {
  uint64_t bit;
  const char* name;
};
constexpr NamespaceKind kKinds[] = {
    {0x02000000, "cgroup"}, {0x08000000, "ipc"},  {0x00020000, "mnt"},  {0x40000000, "net"},
    {0x20000000, "pid"},    {0x00000080, "time"}, {0x10000000, "user"}, {0x04000000, "uts"},
};
/// clone's low byte is the signal at exit, where the bit of time namespaces would lie (CSIGNAL).
constexpr uint64_t kCloneSignal = 0xff;

/// The namespaces of process `id` (0: the caller) that `flags` names.
Value namespaces(Decoder& decoder, int32_t id, uint64_t flags) {
  if (!decoder.options().new_namespaces || decoder.call().error != 0) return {};
  std::string text;
  for (const NamespaceKind& kind : kKinds) {
    auto link = (flags & kind.bit) ? decoder.namespace_of(id, kind.name) : std::nullopt;
    if (!link) continue;
    if (!text.empty()) text += ", ";
    text += *link;
  }
  if (text.empty()) return {};
  return decoder.text(text, TextKind::Bare);
}

int32_t child_of(const Decoder& decoder) { return static_cast<int32_t>(decoder.call().result); }

}  // namespace

Value unshare_aux(Decoder& decoder) { return namespaces(decoder, 0, decoder.arg(0)); }

Value setns_aux(Decoder& decoder) { return namespaces(decoder, 0, decoder.arg(1)); }

Value clone_aux(Decoder& decoder) {
  return namespaces(decoder, child_of(decoder), decoder.call().regs[0] & ~kCloneSignal);
}

Value clone3_aux(Decoder& decoder) {
  uint64_t flags = 0;
  if (!decoder.options().new_namespaces || !decoder.read(Addr{decoder.arg(0)}, flags)) return {};
  return namespaces(decoder, child_of(decoder), flags);
}

}  // namespace strut
