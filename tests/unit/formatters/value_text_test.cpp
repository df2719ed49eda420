#include "formatters/common/value_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "syscalls/call_context.hpp"

namespace strut::test {
namespace {

std::string text(const Value& value, NamesAs names = NamesAs::Abbrev, ValueLooks looks = {}) {
  TextBuffer out;
  looks.names = names;
  put_value(out, value, looks);
  return std::string(out.view());
}
std::string raw_text(const Value& value) { return text(value, NamesAs::Raw); }
std::string verbose(const Value& value) { return text(value, NamesAs::Verbose); }

Value number(uint64_t bits, Show show, uint8_t bytes = 8) { return {Number{bits, show, bytes}, {}}; }
Value string(std::string_view bytes) { return {Text{bytes}, {}}; }
std::string string_as(std::string_view bytes, HexStrings hex) {
  return text(string(bytes), NamesAs::Abbrev, {.hex_strings = hex});
}

constexpr Constant kWhences[] = {{0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}};
constinit const ConstantSet kWhence = enumeration("SEEK_???", kWhences);
constexpr Constant kDirectories[] = {{0xffffff9c, "AT_FDCWD"}};
constinit const ConstantSet kDirectory = enumeration(nullptr, kDirectories, NumberBase::Decimal);
constexpr Constant kOpens[] = {
    {0, "O_RDONLY", 3}, {1, "O_WRONLY", 3}, {2, "O_RDWR", 3}, {0100, "O_CREAT"}, {02000000, "O_CLOEXEC"}};
constinit const ConstantSet kOpen = flag_set("O_???", kOpens);
constexpr Constant kProts[] = {{0, "PROT_NONE"}, {1, "PROT_READ"}, {2, "PROT_WRITE"}};
constinit const ConstantSet kProt = flag_set("PROT_???", kProts);
constexpr Constant kWaits[] = {{1, "WNOHANG"}};
constinit const ConstantSet kWait = flag_set("W???", kWaits);

Value whence(uint64_t bits) { return {Named{bits, &kWhence, 4}, {}}; }
Value prot(uint64_t bits) { return {Named{bits, &kProt, 4}, {}}; }
Value open_flags(uint64_t bits) { return {Named{bits, &kOpen, 4}, {}}; }

}  // namespace

TEST_CASE("value text: numbers") {
  CHECK(text(number(static_cast<uint64_t>(-5), Show::Signed)) == "-5");
  CHECK(text(number(~0ull, Show::Unsigned)) == "18446744073709551615");
  CHECK(text(number(~0ull, Show::Unsigned, 4)) == "4294967295");
  CHECK(text(number(0, Show::Hex)) == "0");
  CHECK(text(number(0xbad, Show::Hex)) == "0xbad");
  CHECK(text(number(0, Show::Permissions)) == "000");
  CHECK(text(number(07, Show::Permissions)) == "007");
  CHECK(text(number(0644, Show::Permissions)) == "0644");
  CHECK(text(number(0, Show::Octal)) == "0");
  CHECK(text(number(022, Show::Octal)) == "022");
  CHECK(text(number(0xffffffff, Show::Id, 4)) == "-1");
  CHECK(text(number(0xfffffffe, Show::Id, 4)) == "4294967294");
  CHECK(text(number(17, Show::HexPadded, 4)) == "0x000011");
  CHECK(text(number(0, Show::HexPadded, 4)) == "00000000");
  CHECK(text(number(0xffffffff, Show::HexPadded, 4)) == "0xffffffff");
  CHECK(text(number('\n', Show::Char)) == "'\\n'");
}

TEST_CASE("value text: file modes in every style") {
  CHECK(text(number(0100644, Show::FileMode)) == "S_IFREG|0644");
  CHECK(text(number(0140000, Show::FileMode)) == "S_IFSOCK|000");
  CHECK(text(number(041777, Show::FileMode)) == "S_IFDIR|S_ISVTX|0777");
  CHECK(text(number(06000, Show::FileMode)) == "S_ISUID|S_ISGID|000");
  CHECK(text(number(0160000, Show::FileMode)) == "0160000");
  CHECK(raw_text(number(0100644, Show::FileMode)) == "0100644");
  CHECK(verbose(number(0104755, Show::FileMode)) == "0104755 /* S_IFREG|S_ISUID|0755 */");
  CHECK(verbose(number(0, Show::FileMode)) == "000 /* 000 */");
  CHECK(verbose(number(0160000, Show::FileMode)) == "0160000");
}

TEST_CASE("value text: devices, limits, network order") {
  CHECK(text(number(0x45612378, Show::Device, 4)) == "makedev(0x123, 0x45678)");
  CHECK(raw_text(number(0x103, Show::Device)) == "0x103");
  CHECK(verbose(number(0x103, Show::Device)) == "0x103 /* makedev(0x1, 0x3) */");
  CHECK(text(number(8192 * 1024, Show::Resource)) == "8192*1024");
  CHECK(text(number(1024, Show::Resource)) == "1024");
  CHECK(text(number(1025, Show::Resource)) == "1025");
  CHECK(text(number(~0ull, Show::Resource)) == "RLIM64_INFINITY");
  CHECK(text(number(0xffffffff, Show::Resource, 4)) == "RLIM_INFINITY");
  CHECK(raw_text(number(8192 * 1024, Show::Resource)) == "8388608");
  CHECK(verbose(number(~0ull, Show::Resource)) == "18446744073709551615 /* RLIM64_INFINITY */");
  CHECK(text(number(0x5000, Show::NetPort, 2)) == "htons(80)");
  CHECK(raw_text(number(0x5000, Show::NetPort, 2)) == "\"\\x00\\x50\"");
  CHECK(verbose(number(0x05000000, Show::NetLong, 4)) == "\"\\x00\\x00\\x00\\x05\" /* htonl(5) */");
  CHECK(text(number(0x0100007f, Show::Inet4, 4)) == "inet_addr(\"127.0.0.1\")");
  CHECK(raw_text(number(0x0100007f, Show::Inet4, 4)) == "\"\\x7f\\x00\\x00\\x01\"");
}

TEST_CASE("value text: enumerations") {
  CHECK(text(whence(2)) == "SEEK_END");
  CHECK(raw_text(whence(2)) == "0x2");
  CHECK(verbose(whence(2)) == "0x2 /* SEEK_END */");
  CHECK(verbose(whence(0)) == "0 /* SEEK_SET */");
  CHECK(text(whence(0x63)) == "0x63 /* SEEK_??? */");
  CHECK(raw_text(whence(0x63)) == "0x63");
  CHECK(verbose(whence(0x63)) == "0x63 /* SEEK_??? */");
  CHECK(raw_text({Named{static_cast<uint64_t>(-100), &kDirectory, 4}, {}}) == "-100");
  CHECK(text({Named{7, &kDirectory, 4}, {}}) == "7");
}

TEST_CASE("value text: flags") {
  CHECK(text(prot(3)) == "PROT_READ|PROT_WRITE");
  CHECK(text(prot(0)) == "PROT_NONE");
  CHECK(text(prot(0x80)) == "0x80 /* PROT_??? */");
  CHECK(text(prot(0x81)) == "PROT_READ|0x80");
  CHECK(verbose(prot(0x81)) == "0x81 /* PROT_READ|0x80 */");
  CHECK(verbose(prot(0)) == "0 /* PROT_NONE */");
  CHECK(raw_text(prot(0x81)) == "0x81");
  CHECK(text({Named{0, &kWait, 4}, {}}) == "0");
  CHECK(verbose({Named{0, &kWait, 4}, {}}) == "0");
  CHECK(text(open_flags(0)) == "O_RDONLY");
  CHECK(text(open_flags(02000000)) == "O_RDONLY|O_CLOEXEC");
  CHECK(text(open_flags(0x10000042)) == "O_RDWR|O_CREAT|0x10000000");
  CHECK(text(open_flags(3)) == "0x3 /* O_??? */");
}

TEST_CASE("value text: words of several tables") {
  Value both[] = {whence(2), prot(1)};
  CHECK(text({Union{both, 0x21}, {}}) == "SEEK_END|PROT_READ");
  CHECK(raw_text({Union{both, 0x21}, {}}) == "0x21");
  CHECK(verbose({Union{both, 0x21}, {}}) == "0x21 /* SEEK_END|PROT_READ */");
  CHECK(raw_text({Union{both, 0, 4, true}, {}}) == "0x2|0x1");
  CHECK(verbose({Union{both, 0, 4, true}, {}}) == "0x2 /* SEEK_END */|0x1 /* PROT_READ */");
}

TEST_CASE("value text: strings and their escapes") {
  CHECK(text(string("a\t\n\v\f\r\"\\'<>")) == "\"a\\t\\n\\v\\f\\r\\\"\\\\'<>\"");
  CHECK(text(string(std::string_view("\0\1\33\377\177", 5))) == "\"\\0\\1\\33\\377\\177\"");
  CHECK(text(string("\0012")) == "\"\\0012\"");
  CHECK(text(string("\0018")) == "\"\\18\"");
  CHECK(text(string("")) == "\"\"");
  CHECK(text({Text{"abc", TextKind::Text, true}, {}}) == "\"abc\"...");
  CHECK(text({Text{"abc", TextKind::Binary}, {}}) == "\"\\x61\\x62\\x63\"");
  CHECK(text({Text{"NULL", TextKind::Bare}, {}}) == "NULL");
  CHECK(text({Text{std::string_view("ab\0", 3), TextKind::Ended, true}, {}}) == "\"ab\"");
  CHECK(text({Text{"ab", TextKind::Ended, true}, {}}) == "\"ab\"...");
  CHECK(text({Text{"abc", TextKind::Path, false, true}, {}}) == "@\"abc\"");
}

TEST_CASE("value text: strings in hexadecimal") {
  Value ended{Text{std::string_view("a\0", 2), TextKind::Ended, true}, {}};
  CHECK(text(ended, NamesAs::Abbrev, {.hex_strings = HexStrings::NonAscii}) == "\"\\x61\\x00\"...");
  CHECK(text(ended, NamesAs::Abbrev, {.hex_strings = HexStrings::NonAsciiChars}) == "\"a\"");
  CHECK(string_as("abc\n", HexStrings::NonAscii) == "\"abc\\n\"");
  CHECK(string_as("a\x7f", HexStrings::NonAscii) == "\"\\x61\\x7f\"");
  CHECK(string_as("a\n", HexStrings::All) == "\"\\x61\\x0a\"");
  CHECK(string_as("a\n\x7f\x01", HexStrings::NonAsciiChars) == "\"a\\n\\x7f\\x01\"");
}

TEST_CASE("value text: addresses") {
  CHECK(text({Pointer{Addr{0}}, {}}) == "NULL");
  CHECK(text({Pointer{Addr{0x7ffc1234}}, {}}) == "0x7ffc1234");
  CHECK(text({Unreadable{Addr{8}}, {}}) == "0x8");
  CHECK(text({Unseen{Addr{8}}, {}}) == "0x8");
  CHECK(text({Pointer{Addr{0x10}}, "37 vars"}) == "0x10 /* 37 vars */");
  CHECK(text({Text{"a"}, "bytes 24..31", true}) == "/* bytes 24..31 */ \"a\"");
}

TEST_CASE("value text: structures leave out details unless in full") {
  FieldValue fields[] = {{"a", number(1, Show::Signed)}, {"b", number(2, Show::Signed), true}, {"c", {Absent{}, {}}}};
  CHECK(text({Struct{fields}, {}}) == "{a=1, ...}");
  CHECK(text({Struct{fields}, {}}, NamesAs::Abbrev, {.full = true}) == "{a=1, b=2}");
  CHECK(text({Struct{std::span(fields, 1), true}, {}}) == "{a=1, ...}");
  CHECK(text({Struct{std::span(fields + 1, 1)}, {}}) == "{...}");
  CHECK(text({Struct{}, {}}) == "{}");
}

TEST_CASE("value text: arrays") {
  Value items[] = {number(1, Show::Signed), number(2, Show::Signed)};
  CHECK(text({Array{items}, {}}) == "[1, 2]");
  CHECK(text({Array{items, ArrayStyle::Set}, {}}) == "[1 2]");
  CHECK(text({Array{items, ArrayStyle::List, true}, {}}) == "[1, 2, ...]");
  CHECK(text({Array{items, ArrayStyle::List, false, Addr{0x11000}}, {}}) == "[1, 2, ... /* 0x11000 */]");
  CHECK(text({Array{}, {}}) == "[]");
  CHECK(text({Array{{}, ArrayStyle::List, true}, {}}) == "[...]");
  FieldValue zero[] = {{"VINTR", items[0]}}, two[] = {{"2", items[1]}};
  Value indexed[] = {{Struct{zero}, {}}, {Struct{two}, {}}};
  CHECK(text({Array{indexed, ArrayStyle::Indexed}, {}}) == "[[VINTR]=1, [2]=2]");
}

TEST_CASE("value text: changes share a box") {
  Value five[] = {number(5, Show::Signed)}, six[] = {number(6, Show::Signed)};
  Value before{Array{five, ArrayStyle::Boxed}, {}}, after{Array{six, ArrayStyle::Boxed}, {}};
  CHECK(text(before) == "[5]");
  CHECK(text({Change{&before, &after}, {}}) == "[5 => 6]");
  CHECK(text({Change{&five[0], &six[0]}, {}}) == "5 => 6");
}

TEST_CASE("value text: signals and sets of them") {
  CHECK(text({SignalNumber{11}, {}}) == "SIGSEGV");
  CHECK(text({SignalNumber{32}, {}}) == "SIGRTMIN");
  CHECK(text({SignalNumber{65}, {}}) == "65");
  CHECK(text({SignalNumber{0}, {}}) == "0");
  CHECK(verbose({SignalNumber{17}, {}}) == "17 /* SIGCHLD */");
  CHECK(verbose({SignalNumber{65}, {}}) == "65");
  Value few{SignalSet{1ull << 16 | 1ull << 33}, {}};
  CHECK(text(few) == "[CHLD RT_2]");
  CHECK(raw_text(few) == "[17 34]");
  CHECK(verbose(few) == "[17 /* CHLD */ 34 /* RT_2 */]");
  CHECK(text({SignalSet{0}, {}}) == "[]");
  CHECK(text({SignalSet{~0ull}, {}}) == "~[]");
  CHECK(text({SignalSet{~(1ull << 8 | 1ull << 18)}, {}}) == "~[KILL STOP]");
  CHECK(text({SignalSet{(1ull << 42) - 1}, {}}).starts_with("~["));
  CHECK(text({SignalSet{(1ull << 41) - 1}, {}}).starts_with("[HUP"));
}

TEST_CASE("value text: wait statuses") {
  auto status = [](int32_t bits) { return text({WaitStatus{bits}, {}}); };
  CHECK(status(3 << 8) == "{WIFEXITED(s) && WEXITSTATUS(s) == 3}");
  CHECK(status(11) == "{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV}");
  CHECK(status(11 | 0x80) == "{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV && WCOREDUMP(s)}");
  CHECK(status(19 << 8 | 0x7f) == "{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}");
  CHECK(status(0x857f) == "{WIFSTOPPED(s) && WSTOPSIG(s) == SIGTRAP | 0x80}");
  CHECK(status(0x1057f) == "{WIFSTOPPED(s) && WSTOPSIG(s) == SIGTRAP}|PTRACE_EVENT_FORK<<16");
  CHECK(status(0xffff) == "{WIFCONTINUED(s)}");
}

TEST_CASE("value text: descriptors and what is behind them") {
  auto fd = [](const FdTarget& target, uint8_t shows) {
    return text({Fd{3, &target}, {}}, NamesAs::Abbrev, {.fd_shows = shows});
  };
  FdTarget file{"/a<b>\n", true, {}};
  CHECK(fd(file, 0) == "3");
  CHECK(fd(file, kFdPath) == "3</a\\74b\\76\\n>(deleted)");
  CHECK(fd(file, kFdSocket) == "3");
  FdTarget null{"/dev/null", false, DeviceTarget{false, 1, 3, {}}};
  CHECK(fd(null, kFdPath) == "3</dev/null>");
  CHECK(fd(null, kFdAll) == "3</dev/null<char 1:3>>");
  FdTarget master{"/dev/ptmx", false, DeviceTarget{false, 5, 2, "/dev/pts/0"}};
  CHECK(fd(master, kFdDevice) == "3</dev/ptmx<char 5:2 @/dev/pts/0>>");
  FdTarget named{"socket:[7]", false, SocketTarget{7, "UNIX-STREAM", "7", "/x\t"}};
  CHECK(fd(named, kFdPath) == "3<socket:[7]>");
  CHECK(fd(named, kFdAll) == "3<UNIX-STREAM:[7,\"/x\\t\"]>");
  FdTarget abstract{"socket:[7]", false, SocketTarget{7, "UNIX", "7", std::string("\0ab", 3)}};
  CHECK(fd(abstract, kFdSocket) == "3<UNIX:[7,@\"ab\"]>");
  FdTarget unknown{"socket:[9]", false, {}};
  CHECK(fd(unknown, kFdSocket) == "3<socket:[9]>");
  FdTarget counter{"anon_inode:[eventfd]", false, EventfdTarget{5, 1, false}};
  CHECK(fd(counter, kFdAll) == "3<{eventfd-count=0x5, eventfd-id=1, eventfd-semaphore=0}>");
  FdTarget process{"anon_inode:[pidfd]", false, PidfdTarget{12, "cat"}};
  CHECK(fd(process, kFdPidfd) == "3<pid:12<cat>>");
  FdTarget gone{"anon_inode:[pidfd]", false, {}};
  CHECK(fd(gone, kFdPidfd) == "3<anon_inode:[pidfd]>");
  FdTarget signals{"anon_inode:[signalfd]", false, SignalfdTarget{1 << 16}};
  CHECK(fd(signals, kFdSignalfd) == "3<signalfd:[CHLD]>");
}

TEST_CASE("value text: the current directory and process ids") {
  Value here{Fd{-100, nullptr, true}, {}};
  CHECK(text(here) == "AT_FDCWD");
  CHECK(raw_text(here) == "-100");
  CHECK(verbose(here) == "-100 /* AT_FDCWD */");
  CHECK(text({Fd{-100}, {}}) == "-100");
  CHECK(text({ProcessId{12, "a<b", 0}, {}}) == "12<a\\74b>");
  CHECK(text({ProcessId{12, "a\nb", 0}, {}}) == "12<a>");
  CHECK(text({ProcessId{2, {}, 1234}, {}}) == "2 /* 1234 in strace's PID NS */");
}

TEST_CASE("value text: IPv6 addresses take their field's name along") {
  FieldValue address[] = {{"sin6_addr", {Inet6{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}, {}}}};
  std::string zeros;
  for (int i = 0; i < 15; i++) zeros += "\\x00";
  Value value{Struct{address}, {}};
  CHECK(text(value) == "{inet_pton(AF_INET6, \"::1\", &sin6_addr)}");
  CHECK(raw_text(value) == "{sin6_addr=\"" + zeros + "\\x01\"}");
  CHECK(verbose(value) == "{sin6_addr=\"" + zeros + "\\x01\" /* inet_pton(AF_INET6, \"::1\") */}");
  CHECK(text(address[0].value) == "inet_pton(AF_INET6, \"::1\")");
}

TEST_CASE("value text: forms and aliases give way to numbers") {
  Value args[] = {number(0x12, Show::Hex)}, plain = number(0x1234, Show::Hex);
  Value form{Form{"_IOC", args, &plain}, {}};
  CHECK(text(form) == "_IOC(0x12)");
  CHECK(raw_text(form) == "0x1234");
  CHECK(verbose(form) == "0x1234 /* _IOC(0x12) */");
  CHECK(raw_text({Form{"F", args}, {}}) == "F(0x12)");
  Value alias{Alias{"UTIME_NOW", &plain}, {}};
  CHECK(text(alias) == "UTIME_NOW");
  CHECK(verbose(alias) == "0x1234 /* UTIME_NOW */");
}

}  // namespace strut::test
