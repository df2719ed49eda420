#include "syscalls/types/signal/siginfo.hpp"

#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/netlink/audit.hpp"
#include "syscalls/types/signal/siginfo_codes.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

// sigaction(2), "The siginfo_t argument to a SA_SIGINFO handler"; layouts: <asm-generic/siginfo.h>.

struct Header {
  int32_t signo = 0;
  int32_t error = 0;
  int32_t code = 0;
};

/// Which member of the union a siginfo uses.
enum class Member { Kill, Timer, Queue, Poll, Child, Fault, FaultLsb, FaultBounds, FaultKey, System, Kernel, None };

Member member_for_fault(const Header& header) {
  if (header.signo == SIGBUS && (header.code == BUS_MCEERR_AR || header.code == BUS_MCEERR_AO)) return Member::FaultLsb;
  if (header.signo == SIGSEGV && header.code == SEGV_BNDERR) return Member::FaultBounds;
  if (header.signo == SIGSEGV && header.code == SEGV_PKUERR) return Member::FaultKey;
  return Member::Fault;
}

Member member_from_user(int32_t code) {
  switch (code) {
    case SI_USER:
    case SI_TKILL: return Member::Kill;
    case SI_TIMER: return Member::Timer;
    case SI_SIGIO: return Member::Poll;
    default: return Member::Queue;
  }
}

Member member_of(const Header& header) {
  if (header.code <= 0) return member_from_user(header.code);
  switch (header.signo) {
    case SIGILL:
    case SIGTRAP:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV: return member_for_fault(header);
    case SIGCHLD: return Member::Child;
    case SIGPOLL: return header.code <= POLL_HUP ? Member::Poll : Member::None;
    case SIGSYS: return Member::System;
    default: return Member::Kernel;
  }
}

/// Reads the union's members one after the other by the ABI's alignment.
class Cursor {
 public:
  Cursor(std::span<const std::byte, kSiginfoBytes> bytes, Abi abi)
      : bytes_(bytes), abi_(abi), at_(abi == Abi::X86_64 ? 16 : 12) {}

  uint64_t take(Width width) {
    size_t count = bytes_of(width, abi_), align = std::min(count, pointer_bytes(abi_));
    at_ = (at_ + align - 1) / align * align;
    uint64_t bits = 0;
    std::memcpy(&bits, bytes_.data() + at_, count);
    at_ += count;
    return bits;
  }
  int32_t take_int() { return static_cast<int32_t>(take(Width::B4)); }
  uint32_t take_uint() { return static_cast<uint32_t>(take(Width::B4)); }
  int64_t take_long() {
    uint64_t bits = take(Width::Long);
    return abi_ == Abi::X86_64 ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits);
  }
  /// _lower and _pkey stand behind padding of a pointer's size.
  void skip_pointer() { at_ += pointer_bytes(abi_); }

 private:
  std::span<const std::byte, kSiginfoBytes> bytes_;
  Abi abi_;
  size_t at_;
};

Header header_of(std::span<const std::byte, kSiginfoBytes> bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

/// Collects fields; `Pid` and `File` make the values of si_pid and si_fd.
template <typename PidOf, typename FileOf>
class Builder {
 public:
  Builder(Arena& arena, Cursor cursor, Abi abi, PidOf pid, FileOf file)
      : arena_(arena), cursor_(cursor), abi_(abi), pid_(pid), file_(file) {}

  Value build(const Header& header) {
    if (header.signo == 0) return {Struct{}, {}};
    add("si_signo", {SignalNumber{header.signo}, {}});
    add("si_code", Decoder::named(static_cast<uint32_t>(header.code), siginfo_codes(header.signo, header.code)));
    if (header.error != 0) add("si_errno", Decoder::named(static_cast<uint32_t>(header.error), kErrnoNames));
    add_member(member_of(header), header);
    return {Struct{arena_.copy(std::span<const FieldValue>(fields_.data(), count_))}, {}};
  }

 private:
  void add(std::string_view name, const Value& value) { fields_[count_++] = {name, value}; }
  void add_number(std::string_view name, uint64_t bits, Show show, uint8_t bytes = 4) {
    add(name, Decoder::number(bits, show, bytes));
  }

  void add_member(Member member, const Header& header) {
    switch (member) {
      case Member::Kill: return add_sender();
      case Member::Timer: return add_timer();
      case Member::Queue: add_sender(); return add_sigval();
      case Member::Poll: return add_poll();
      case Member::Child: return add_child(header.code);
      case Member::Fault:
      case Member::FaultLsb:
      case Member::FaultBounds:
      case Member::FaultKey: return add_fault(member);
      case Member::System: return add_system();
      case Member::Kernel: return add_kernel();
      case Member::None: return;
    }
  }

  void add_ids(int32_t pid, uint32_t uid) {
    add("si_pid", pid_(pid));
    add_number("si_uid", uid, Show::Id);
  }
  void add_sender() {
    int32_t pid = cursor_.take_int();
    add_ids(pid, cursor_.take_uint());
  }
  /// The kernel fills neither ids nor a value for most signals of its own.
  void add_kernel() {
    int32_t pid = cursor_.take_int();
    uint32_t uid = cursor_.take_uint();
    if (pid != 0 || uid != 0) add_ids(pid, uid);
    add_sigval();
  }
  void add_sigval(bool even_zero = false) {
    uint64_t pointer = cursor_.take(Width::Long);
    if (pointer == 0 && !even_zero) return;
    add_number("si_int", static_cast<uint64_t>(int64_t{static_cast<int32_t>(pointer)}), Show::Signed);
    add("si_ptr", Decoder::address(pointer));
  }
  void add_timer() {
    add_number("si_timerid", cursor_.take_uint(), Show::Hex);
    add_number("si_overrun", static_cast<uint64_t>(int64_t{cursor_.take_int()}), Show::Signed);
    add_sigval(true);
  }
  void add_poll() {
    add_number("si_band", static_cast<uint64_t>(cursor_.take_long()), Show::Signed, 8);
    add("si_fd", file_(cursor_.take_int()));
  }
  void add_child(int32_t code) {
    add_sender();
    int32_t status = cursor_.take_int();
    if (code == CLD_EXITED) add_number("si_status", static_cast<uint64_t>(int64_t{status}), Show::Signed);
    else add("si_status", {SignalNumber{status}, {}});
    add_ticks("si_utime");
    add_ticks("si_stime");
  }
  void add_fault(Member member) {
    add("si_addr", Decoder::address(cursor_.take(Width::Long)));
    if (member == Member::FaultLsb) return add_number("si_addr_lsb", cursor_.take(Width::B2), Show::Hex, 2);
    cursor_.skip_pointer();
    if (member == Member::FaultKey) return add_number("si_pkey", cursor_.take_uint(), Show::Unsigned);
    if (member != Member::FaultBounds) return;
    add("si_lower", Decoder::address(cursor_.take(Width::Long)));
    add("si_upper", Decoder::address(cursor_.take(Width::Long)));
  }
  void add_system() {
    add("si_call_addr", Decoder::address(cursor_.take(Width::Long)));
    uint32_t nr = cursor_.take_uint(), arch = cursor_.take_uint();
    add("si_syscall", system_call_value(arena_, nr, arch, abi_));
    add("si_arch", Decoder::named(arch, kAuditArch));
  }

  void add_ticks(std::string_view name) { add(name, ticks_value(arena_, cursor_.take(Width::KernelLong))); }

  Arena& arena_;
  Cursor cursor_;
  Abi abi_;
  PidOf pid_;
  FileOf file_;
  std::array<FieldValue, 10> fields_;
  size_t count_ = 0;
};

std::span<const std::byte, kSiginfoBytes> bytes_in(const siginfo_t& info) {
  static_assert(sizeof info == kSiginfoBytes);
  return std::as_bytes(std::span<const siginfo_t, 1>(&info, 1));
}

}  // namespace

Value decode_siginfo(Arena& arena, const siginfo_t& info, Abi abi, const SiginfoNames& names) {
  auto pid = [&](int32_t number) { return Value{ProcessId{number, names.comm, names.translated}, {}}; };
  auto file = [&](int32_t number) { return Value{Fd{number, names.file}, {}}; };
  return Builder(arena, Cursor(bytes_in(info), Abi::X86_64), abi, pid, file).build(header_of(bytes_in(info)));
}

std::optional<int32_t> pid_of(const siginfo_t& info) {
  if (info.si_signo == 0) return std::nullopt;
  switch (member_of(header_of(bytes_in(info)))) {
    case Member::Kill:
    case Member::Queue:
    case Member::Child: return info.si_pid;
    case Member::Kernel: return info.si_pid != 0 || info.si_uid != 0 ? std::optional(info.si_pid) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<int32_t> fd_of(const siginfo_t& info) {
  if (info.si_signo == 0 || member_of(header_of(bytes_in(info))) != Member::Poll) return std::nullopt;
  return info.si_fd;
}

Value decode_siginfo_at(Decoder& decoder, uint64_t at, size_t) {
  std::array<std::byte, kSiginfoBytes> bytes;
  if (!decoder.read_bytes(Addr{at}, bytes)) return decoder.missing(Addr{at});
  auto pid = [&](int32_t number) { return decoder.process_id(number); };
  auto file = [&](int32_t number) { return decoder.fd(number); };
  std::span<const std::byte, kSiginfoBytes> view(bytes);
  return Builder(decoder.arena(), Cursor(view, decoder.abi()), decoder.abi(), pid, file).build(header_of(view));
}

// Whatever the code says: the first member behind the header may be an id, the one behind a long a descriptor.
namespace {
constexpr FieldType kIdFields[] = {notation::at(16, notation::field("si_pid", notation::kPid)),
                                   notation::at(24, notation::field("si_fd", notation::kFd)),
                                   notation::at(kSiginfoBytes - 4, notation::padding(notation::kInt))};
constexpr FieldType kIdFields32[] = {notation::at(12, notation::field("si_pid", notation::kPid)),
                                     notation::at(16, notation::field("si_fd", notation::kFd)),
                                     notation::at(kSiginfoBytes - 4, notation::padding(notation::kInt))};
constexpr StructLayout kIdsLayout = {"siginfo", kIdFields, false, kIdFields32, std::size(kIdFields32)};
}  // namespace
constinit const Type kSiginfoRead = notation::structure(kIdsLayout);

}  // namespace strut
