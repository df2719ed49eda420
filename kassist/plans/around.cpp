#include "kassist/plans/around.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

namespace {

wire_op look(wire_op_kind kind, uint8_t at, uint8_t flags = 0) {
  wire_op op{};
  op.kind = kind;
  op.at = at;
  op.flags = flags;
  return op;
}

/// Commands of ioctl with names that depend on the device (syscalls/types/ioctl/ioctl_names.cpp).
bool names_terminal(const Call& call) {
  uint32_t command = static_cast<uint32_t>(call.regs[1]);
  return call.desc->commands == &kIoctlTable && command >= 0x5402 && command <= 0x5404;  // TCSETS …
}

bool may_be(const ArgType& arg, Kind wanted) {
  bool is = false;
  each_meaning(arg.type, [&](Kind kind) { is = is || kind == wanted; });
  return is;
}
bool names_file(const ArgType& arg) { return may_be(arg, Kind::Fd) || may_be(arg, Kind::DirFd); }
bool names_process(const ArgType& arg) { return may_be(arg, Kind::ProcessId); }

bool is_path(const ArgType& arg) {
  const Type* text = arg.type.kind == Kind::Pointer ? arg.type.element : nullptr;
  return text != nullptr && text->kind == Kind::CString && text->text == TextKind::Path;
}

/// The paths of other calls with some begin at a descriptor, which the plan looks behind anyway.
bool begins_at_current_directory(const SyscallDesc& desc) {
  auto args = std::span(desc.args).first(desc.count);
  auto is_directory = [](const ArgType& arg) { return may_be(arg, Kind::DirFd); };
  return std::ranges::any_of(args, is_path) && std::ranges::none_of(args, is_directory);
}

/// What bpf(2) tells of an object depends on what its descriptor is.
bool tells_of_objects(const TraceRequest& request) {
  constexpr std::pair<Abi, uint32_t> kBpf[] = {{Abi::X86_64, 321}, {Abi::I386, 357}};
  return std::ranges::any_of(kBpf, [&](auto call) {
    const auto& [abi, nr] = call;
    const DecodeOptions& options = request.decode;
    return request.calls.contains(abi, nr) && !options.abbreviate.contains(abi, nr) && !options.raw.contains(abi, nr);
  });
}

}  // namespace

uint32_t surroundings_wanted(const TraceRequest& request) {
  const DecodeOptions& options = request.decode;
  uint32_t around = 0;
  if (options.fd_targets) around |= WIRE_AROUND_FILES;
  if (options.fd_targets && options.fd_details) around |= WIRE_AROUND_DETAILS;
  if (options.comms || options.translate_pids) around |= WIRE_AROUND_IDS;
  if (request.resolves_paths && !request.paths.empty()) around |= WIRE_AROUND_DIRECTORY;
  if (request.need_comm) around |= WIRE_AROUND_COMMS;
  if (tells_of_objects(request)) around |= WIRE_AROUND_OBJECTS;
  if (options.new_namespaces) around |= WIRE_AROUND_NAMESPACES;
  return around;
}

uint8_t op_behind(Kind kind, uint32_t around) {
  if ((kind == Kind::Fd || kind == Kind::DirFd) && (around & WIRE_AROUND_FILES)) return WIRE_OP_FD;
  if (kind == Kind::ProcessId && (around & WIRE_AROUND_IDS)) return WIRE_OP_PID;
  return 0;
}

Looks looks_of(const Call& call, uint32_t around) {
  Looks looks;
  const Effects& effects = call.effects();
  bool sends = effects.have(kSendsMessage), receives = effects.have(kReceivesMessage);
  if ((sends || receives) && !(around & WIRE_AROUND_DETAILS)) looks.enter.push_back(look(WIRE_OP_IDENTITY, 0));
  if (receives && !(around & WIRE_AROUND_DETAILS)) looks.exit.push_back(look(WIRE_OP_IDENTITY, 0));
  if (names_terminal(call) && !(around & WIRE_AROUND_FILES)) looks.enter.push_back(look(WIRE_OP_IDENTITY, 0));
  if ((around & WIRE_AROUND_DIRECTORY) && begins_at_current_directory(*call.desc))
    looks.enter.push_back(look(WIRE_OP_DIRECTORY, 0));
  if (effects.have(kMayRenameThread) && (around & WIRE_AROUND_COMMS)) looks.exit.push_back(look(WIRE_OP_COMM, 0));
  if (!(around & WIRE_AROUND_NAMESPACES)) return looks;
  if (effects.makes == Makes::ByArgument || effects.makes == Makes::ByMemory)
    looks.exit.push_back(look(WIRE_OP_NAMESPACES, WIRE_RESULT, WIRE_OP_IF_DONE));
  if (effects.have(kEntersNamespaces)) looks.exit.push_back(look(WIRE_OP_OWN_NAMESPACES, 0, WIRE_OP_IF_DONE));
  return looks;
}

// A netlink socket may be bound by its first message; until then its protocol is not known.
bool surroundings_change(const SyscallDesc& desc, uint32_t around) {
  if (desc.effects.have(kSendsMessage)) return true;
  auto args = std::span(desc.args).first(desc.count);
  bool files = (around & WIRE_AROUND_FILES) && std::any_of(args.begin(), args.end(), names_file);
  bool processes = (around & WIRE_AROUND_IDS) && std::any_of(args.begin(), args.end(), names_process);
  bool directory = (around & WIRE_AROUND_DIRECTORY) && begins_at_current_directory(desc);
  if (processes || directory) return true;
  if (!files || desc.effects.have(kKeepsDescriptors)) return false;
  return (around & WIRE_AROUND_DETAILS) || !desc.effects.have(kMovesOffset);
}

}  // namespace strut
