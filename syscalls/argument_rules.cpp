#include "syscalls/argument_rules.hpp"

#include <string>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"

namespace strut {
namespace {

// <asm-generic/fcntl.h>: O_CREAT, and __O_TMPFILE of O_TMPFILE
constexpr uint64_t kCreat = 0100;
constexpr uint64_t kTmpFile = 020000000;

bool creates(uint64_t flags) { return flags & (kCreat | kTmpFile); }

bool makes_device(uint64_t mode) {
  // <linux/stat.h>
  constexpr uint64_t kFormat = 0170000, kCharacter = 0020000, kBlock = 0060000;
  return (mode & kFormat) == kCharacter || (mode & kFormat) == kBlock;
}

// <linux/net.h>
constexpr Constant kSocketcallEntries[] = {
    {1, "SYS_SOCKET"},    {2, "SYS_BIND"},        {3, "SYS_CONNECT"},     {4, "SYS_LISTEN"},
    {5, "SYS_ACCEPT"},    {6, "SYS_GETSOCKNAME"}, {7, "SYS_GETPEERNAME"}, {8, "SYS_SOCKETPAIR"},
    {9, "SYS_SEND"},      {10, "SYS_RECV"},       {11, "SYS_SENDTO"},     {12, "SYS_RECVFROM"},
    {13, "SYS_SHUTDOWN"}, {14, "SYS_SETSOCKOPT"}, {15, "SYS_GETSOCKOPT"}, {16, "SYS_SENDMSG"},
    {17, "SYS_RECVMSG"},  {18, "SYS_ACCEPT4"},    {19, "SYS_RECVMMSG"},   {20, "SYS_SENDMMSG"},
};

}  // namespace

constinit const ConstantSet kSocketcallNames = enumeration(nullptr, kSocketcallEntries, NumberBase::Decimal);

bool open_creates(const Call& call) { return creates(call.regs[1]); }
bool mq_open_creates(const Call& call) { return call.regs[1] & kCreat; }
bool openat_creates(const Call& call) { return creates(call.regs[2]); }
bool mknod_makes_device(const Call& call) { return makes_device(call.regs[1]); }
bool mknodat_makes_device(const Call& call) { return makes_device(call.regs[2]); }

bool membarrier_names_cpu(const Call& call) { return call.regs[1] & 1; }

bool readdir_counts(const Call& call) { return static_cast<uint32_t>(call.regs[2]) != 1; }

Value ipc_command(Decoder& decoder, uint64_t bits) {
  uint32_t version = static_cast<uint32_t>(bits) >> 16;
  if (version == 0) return Decoder::number(bits, Show::Unsigned, 4);
  std::string text = std::to_string(version) + "<<16|" + std::to_string(bits & 0xffff);
  return decoder.text(text, TextKind::Bare);
}

Value llseek_offset(Decoder& decoder, uint64_t) {
  const auto& regs = decoder.call().regs;
  return Decoder::number(regs[1] << 32 | (regs[2] & 0xffffffff), Show::Signed, 8);
}

Value page_offset(Decoder&, uint64_t bits) {
  return Decoder::number((bits & 0xffffffff) << 12, Show::Hex, 8);
}

void decode_resumed(Decoder& decoder, DecodedCall& call) {
  static constexpr ArgType kResumed = notation::arg("", notation::kString);
  if (decoder.phase() == Phase::Exit) return;
  const SyscallDesc* interrupted = decoder.call().interrupted;
  bool known = interrupted && interrupted->name[0] != 0;
  std::string line = std::string("<... resuming interrupted ") + (known ? interrupted->name : "system call") + " ...>";
  call.args[0] = {&kResumed, decoder.text(line, TextKind::Bare)};
  call.count = call.ready = 1;
}

}  // namespace strut
