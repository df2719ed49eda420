// Decoded values: the meanings of a system call's arguments and results, before any format chooses their looks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "base/ids.hpp"
#include "syscalls/constants.hpp"

namespace strut {

struct Value;
struct FieldValue;
struct FdTarget;

/// How a plain number is meant. Formats decide its text: Device is makedev(0x8, 0x1) to strace, {"major":8,…} to JSON.
enum class Show : uint8_t {
  Signed,       ///< decimal
  Unsigned,     ///< decimal
  Hex,          ///< 0x…, zero is 0
  Octal,        ///< leading 0; zero is 0
  Permissions,  ///< octal of at least three digits: 0644, 000
  FileMode,     ///< S_IFREG|0644
  Device,       ///< dev_t as the kernel encodes it for user space (new_encode_dev)
  Id,           ///< uid, gid: unsigned, all ones is -1
  NetPort,      ///< 16 bits in network order: htons(80)
  NetLong,      ///< 32 bits in network order: htonl(1)
  Inet4,        ///< IPv4 address in network order: inet_addr("1.2.3.4")
  Resource,     ///< rlimit: 8192*1024, RLIM64_INFINITY
  HexPadded,    ///< hex without 0x, padded to the number's width: 00000011 (netlink groups)
  Char,         ///< one character: 'a', '\n'
  Float,        ///< the bits are a float of 4 or a double of 8 bytes
  FloatHex,     ///< to be shown in base 16 (C's %a)
  Bool,         ///< false; anything but 0 is true
  Bits,         ///< a set of bits by number: <3-5,7>
  Guess,        ///< for an unknown type, sign-extended: small ones are counts, the others addresses or bit patterns
};

/// A number of `bytes` bytes; signed ones are sign-extended into bits.
struct Number {
  uint64_t bits = 0;
  Show show = Show::Signed;
  uint8_t bytes = 8;
};

/// A number with names: an enumeration's value or a flag word.
struct Named {
  uint64_t bits = 0;
  const ConstantSet* set = nullptr;
  uint8_t bytes = 4;
};

/// An address that is only an address: NULL, not to be followed, not asked for, or content undefined.
struct Pointer {
  Addr at{};
};

/// The target passed an address that cannot be read: an outcome, not a failure.
struct Unreadable {
  Addr at{};
};

/// The memory exists but this event's capture did not see it. Never shown as a fault; counted.
struct Unseen {
  Addr at{};
};

enum class TextKind : uint8_t {
  Text,    ///< bytes that are often text: buffers, strings
  Path,    ///< a file name: never cut by -s
  Binary,  ///< never text: random bytes, keys, hardware addresses
  Bare,    ///< printed without quotes, already plain ASCII
  Ended,   ///< bytes of known length that are often a string with its NUL: one at their end says that nothing is cut,
           ///< and only a format that writes all bytes by number shows it
  Bits,    ///< a set of bits by number; bit 0 is the lowest of the first byte
};

/// A string or buffer, in the arena. `cut`: there was more than is held.
struct Text {
  std::string_view bytes;
  TextKind kind = TextKind::Text;
  bool cut = false;
  bool abstract = false;  ///< abstract socket name: @"name"
};

/// Some fields of a structure. Fields marked `detail` are shown only in full (-v). `cut`: fields are missing at the
/// end; all of them where structures are nested too deeply.
struct Struct {
  std::span<const FieldValue> fields;
  bool cut = false;
};

enum class ArrayStyle : uint8_t {
  List,        ///< [a, b]
  Set,         ///< [a b]: fd_set, space separated
  Complement,  ///< ~[a b]: all but these
  Indexed,     ///< [[0]=a, [2]=b]: each item is a Struct of one field, named (or numbered) by the index, or of two: the
               ///< index, by name and as a value, and the item
  Boxed,       ///< [a]: one scalar behind a pointer
};

/// Items of an array. `cut`: more items than the limit exist. `unreadable_at`: the item after the last could not be
/// read; `unseen`: because this event's capture did not see it, which is counted.
struct Array {
  std::span<const Value> items;
  ArrayStyle style = ArrayStyle::List;
  bool cut = false;
  Addr unreadable_at{};  ///< 0: all could be read
  bool unseen = false;
};

/// Values joined by '|': a word that is more than one table of flags. `bits` is the whole word, for formats that
/// write it as one number (-X raw, -X verbose). With `apart` such formats write every part on its own
/// (socket(0x2, 0x1|0x80000, 0), clone(…, flags=0x1200000|17)), and `bits` is not looked at.
struct Union {
  std::span<const Value> parts;
  uint64_t bits = 0;
  uint8_t bytes = 4;
  bool apart = false;
  bool one_if_raw = false;  ///< with `apart`: -X raw writes `bits` all the same
  bool glued = false;       ///< where names are wanted nothing stands between the parts: semget(…, 0x20000644)
};

/// A file descriptor, with its file if that was requested.
struct Fd {
  int32_t number = -1;
  const FdTarget* target = nullptr;  ///< owned by the DecodedCall; nullptr: unknown or not asked for
  bool directory = false;            ///< stands where AT_FDCWD (-100) means the current directory
};

/// A process, thread, group or session id.
struct ProcessId {
  int32_t number = 0;
  std::string_view comm;   ///< empty: not asked for or not known
  int32_t translated = 0;  ///< in strut's pid namespace; 0: the same or unknown
};

/// A set of signals: bit n-1 is signal n (sigset_t, SigPnd of /proc). `bytes`: how many signals there are to be in it.
struct SignalSet {
  uint64_t bits = 0;
  uint8_t bytes = 8;
};

/// A signal number.
struct SignalNumber {
  int32_t number = 0;
};

/// A status as wait4(2) stores it.
struct WaitStatus {
  int32_t status = 0;
};

/// An IPv6 address in network order.
struct Inet6 {
  std::array<uint8_t, 16> bytes{};
};

/// A value that the call changed: before => after.
struct Change {
  const Value* before = nullptr;
  const Value* after = nullptr;
  /// For a structure's member: its name where text repeats it, features=0 => features=A|B.
  std::string_view label;
};

/// A function-like form with arguments, e.g. _IOC(_IOC_READ, 0x12, 0x34, 0x8), KERNEL_VERSION(…). `plain` is shown by
/// formats without names (-X raw: 0x12345678); nullptr: the form in every style.
struct Form {
  std::string_view name;
  std::span<const Value> args;
  const Value* plain = nullptr;
  bool styled = false;         ///< -X verbose writes the arguments as numbers and names too, else by name alone
  bool without_plain = false;  ///< -X verbose writes the form without the number
  /// The number's own name, a comment where the form is shown; empty: none. v4l2_fourcc(…) /* V4L2_PIX_FMT_YUYV */
  std::string_view meaning{};
};

/// A value that has a name as a whole: UTIME_NOW for {tv_sec=…, tv_nsec=0x3fffffff}. -X abbrev shows `name`, raw
/// `plain`, verbose `plain` and the name as a comment.
struct Alias {
  std::string_view name;
  const Value* plain = nullptr;
};

/// A part of a word, shown before it is shifted to its place: PERF_COUNT_HW_CACHE_OP_READ<<8. `place` names the
/// distance where it has a name: 21<<SHM_HUGE_SHIFT. `unnamed` is the comment where the value's name is not shown,
/// because it has none or names are off (-X raw): 0x7<<28 /* FUTEX_OP_??? .
struct Shifted {
  const Value* value = nullptr;
  uint8_t by = 0;
  std::string_view place;
  std::string_view unnamed;
  NumberBase base = NumberBase::Decimal;  ///< for the distance
};

/// Not known until the call returns.
struct Pending {};

/// Nothing to show: the argument or result does not exist for this call.
struct Absent {};

/// One decoded value. Trivially copyable; referenced data is in the call's arena or static.
struct Value {
  std::variant<Absent, Pending, Number, Named, Pointer, Unreadable, Unseen, Text, Struct, Array, Union, Fd, ProcessId,
               SignalSet, SignalNumber, WaitStatus, Inet6, Change, Form, Alias, Shifted>
      is;
  std::string_view comment;    ///< a remark to be shown behind it: /* 37 vars */; empty: none
  bool comment_first = false;  ///< the comment is in front: /* bytes 24..31 "\x01…"

  bool pending() const { return std::holds_alternative<Pending>(is); }
  bool absent() const { return std::holds_alternative<Absent>(is); }
};

/// One member of a structure. An empty name: the value stands alone. An unrequested detail is Absent.
struct FieldValue {
  std::string_view name;
  Value value;
  bool detail = false;  ///< left out unless structures are shown in full (-v)
};

}  // namespace strut
