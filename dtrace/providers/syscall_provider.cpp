// The provider "syscall": every system call that syscalls/ knows, by Linux's name and, asked for by name, by older
// ones.
#include <algorithm>

#include "dtrace/providers/provider.hpp"
#include "syscalls/syscall.hpp"

namespace strut {
namespace {

/// The module of the calls that x86-64 has, as on DTrace's first Linux port; the second name is that of its second one.
constexpr std::string_view kSyscallModule = "x64", kOtherModule = "vmlinux", kForeignModule = "i386";
constexpr std::string_view kAliasModule = "alias";

struct Alias {
  std::string_view name, call;
  uint8_t first;
};
constexpr Alias kAliases[] = {
#define ALIAS(name, call, first) {#name, #call, first},
#include "dtrace/providers/syscall_aliases.inc"
#undef ALIAS
};

std::string_view type_of(const Type& type) {
  switch (type.kind) {
    case Kind::Fd:
    case Kind::DirFd:
    case Kind::Signal: return "int";
    case Kind::ProcessId: return "pid_t";
    case Kind::Address: return "void *";
    case Kind::Pointer: return type.element && type.element->kind == Kind::CString ? "char *" : "void *";
    case Kind::Number:
    case Kind::Named: break;
    default: return "int64_t";
  }
  switch (type.width) {
    case Width::B1: return type.is_signed ? "int8_t" : "uint8_t";
    case Width::B2: return type.is_signed ? "int16_t" : "uint16_t";
    case Width::B4: return type.is_signed || type.kind == Kind::Named ? "int" : "uint32_t";
    default: return type.is_signed ? "int64_t" : "uint64_t";
  }
}

class SyscallProvider final : public Provider {
 public:
  std::string_view name() const override { return "syscall"; }

  std::vector<OfferedProbe> all() const override {
    std::vector<OfferedProbe> probes;
    for (const SyscallSlot& slot : syscalls_of(Abi::X86_64))
      add(probes, kSyscallModule, slot.desc->name, {{slot.desc->name, 0}});
    for (const SyscallSlot& slot : syscalls_of(Abi::I386))
      if (slot.nr < kFirstPart && !find_syscall(Abi::X86_64, slot.desc->name))
        add(probes, kForeignModule, slot.desc->name, {{slot.desc->name, 0}});
    return probes;
  }

  ProbeDescription meant_by(const ProbeDescription& description) const override {
    ProbeDescription meant = description;
    if (meant.module == kOtherModule) meant.module = kSyscallModule;
    return meant;
  }

  std::vector<OfferedProbe> asked_for(const ProbeDescription& description) const override {
    std::vector<OfferedProbe> probes;
    bool ours = description.provider.empty() || glob_matches(description.provider, name());
    if (!ours || description.function.empty()) return probes;
    std::vector<DTrigger::Syscall> calls;
    for (const Alias& alias : kAliases)
      if (alias.name == description.function) calls.push_back({alias.call, alias.first});
    if (calls.empty()) return probes;
    add(probes, kAliasModule, description.function, calls);
    std::erase_if(probes, [&](const OfferedProbe& probe) {
      return !matches(description, ProbeDescription{probe.provider, probe.module, probe.function, probe.name});
    });
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    std::vector<DArgumentType> types;
    if (probe.trigger.kind == DTrigger::Kind::SyscallReturn) return std::vector<DArgumentType>(2);
    const DTrigger::Syscall& call = probe.trigger.calls.at(0);
    const SyscallSlot* slot = find_syscall(Abi::X86_64, call.name);
    if (!slot) slot = find_syscall(Abi::I386, call.name);
    if (!slot || slot->desc->custom) return std::nullopt;
    for (size_t i = call.first; i < slot->desc->count; i++)
      types.push_back({DArgumentType::Kind::Integer, std::string(type_of(slot->desc->args[i].type)), true});
    return types;
  }

 private:
  static void add(std::vector<OfferedProbe>& to, std::string_view module, std::string_view function,
                  const std::vector<DTrigger::Syscall>& calls) {
    for (auto kind : {DTrigger::Kind::SyscallEntry, DTrigger::Kind::SyscallReturn}) {
      DTrigger trigger;
      trigger.kind = kind;
      trigger.calls = calls;
      bool is_entry = kind == DTrigger::Kind::SyscallEntry;
      to.push_back({"syscall", std::string(module), std::string(function), is_entry ? "entry" : "return", trigger});
    }
  }
};

}  // namespace

std::unique_ptr<Provider> make_syscall_provider() { return std::make_unique<SyscallProvider>(); }

}  // namespace strut
