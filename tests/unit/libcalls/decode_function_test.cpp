// Arguments and results of functions: their places by the ABI, and their values.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "tests/unit/scripted_memory.hpp"
#include "tests/unit/show.hpp"
#include "x86/argument_places.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/format_arguments.hpp"
#include "libcalls/prototypes/library_types.hpp"

namespace strut::test {
namespace {

using namespace notation;

uint64_t word_of(double number) { return std::bit_cast<uint64_t>(number); }

/// A call of a function; the description outlives it.
struct FunctionScene {
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;
  FunctionCall call;
  DecodedCall decoded;
  EntryRegisters entry;
  ReturnRegisters registers;

  explicit FunctionScene(const FunctionDesc& desc, std::initializer_list<uint64_t> integers = {}) {
    call.desc = &desc;
    std::copy(integers.begin(), integers.end(), entry.integers.begin());
    entry.stack = Addr{0x7000};
    entry.has_floatings = registers.has_floatings = true;
  }
  std::string enter() {
    decode_entry(call, entry, {memory, around, options}, decoded);
    return show(decoded);
  }
  std::string leave(uint64_t rax, int error_number = 0) {
    registers.rax = rax;
    decode_return(call, registers, error_number, {memory, around, options}, decoded);
    return show(decoded) + " = " + show(decoded.result);
  }
};

constexpr ArgType kReadArgs[] = {fd("fd"), bytes_out("buf", by_result()), size("count")};
constexpr FunctionDesc kRead{"read", kLong, kReadArgs, Varargs::No, Failure::Negative};

TEST_CASE("function: decoded as a system call of the same row") {
  FunctionScene scene(kRead, {3, 0x1000, 10});
  scene.memory.put(0x1000, "abcdefghij");
  CHECK(scene.enter() == "fd:3; | ?; 10");
  CHECK(scene.leave(4) == "fd:3; | \"abcd\"; 10 = 4");
  CHECK(scene.call.call.error == 0);
}

TEST_CASE("function: a failed call has its result, its errno, and addresses where it wrote nothing") {
  FunctionScene scene(kRead, {3, 0x1000, 10});
  scene.enter();
  CHECK(scene.leave(~0ull, 9) == "fd:3; | 0x1000; 10 = -1");
  CHECK(scene.call.call.error == 9);
  scene.enter();
  scene.leave(~0ull);
  CHECK(scene.call.call.error == kErrnoUnseen);
}

TEST_CASE("function: results are as wide as their type") {
  static constexpr FunctionDesc kIntResult{"f", kInt, {}, Varargs::No, Failure::Negative};
  FunctionScene scene(kIntResult);
  scene.enter();
  CHECK(scene.leave(0xffffffff, 2) == " = -1");
  CHECK(scene.call.call.error == 2);
  static constexpr FunctionDesc kCharResult{"f", kChar, {}};
  FunctionScene character(kCharResult);
  character.enter();
  CHECK(character.leave(0x1234567800000041) == " = 65");
}

TEST_CASE("function: void returns nothing") {
  static constexpr FunctionDesc kNothing{"f", kVoid, {}};
  FunctionScene scene(kNothing);
  scene.enter();
  scene.leave(7);
  CHECK(scene.decoded.result.absent());
}

TEST_CASE("function: floating-point numbers have registers of their own") {
  static constexpr ArgType kArgs[] = {arg("a", kInt), arg("x", kDouble), arg("b", kInt), arg("y", kFloat)};
  static constexpr FunctionDesc kMixed{"f", kDouble, kArgs};
  FunctionScene scene(kMixed, {1, 2});
  scene.entry.floatings[0] = word_of(1.5);
  scene.entry.floatings[1] = std::bit_cast<uint32_t>(2.5f);
  scene.enter();
  auto number = [&](size_t i) { return std::get<Number>(scene.decoded.args[i].value.is); };
  CHECK(number(0).bits == 1);
  CHECK(number(1).bits == word_of(1.5));
  CHECK(number(2).bits == 2);
  CHECK(number(3).bits == std::bit_cast<uint32_t>(2.5f));
  scene.registers.floatings[0] = word_of(-3.0);
  scene.leave(99);
  CHECK(std::get<Number>(scene.decoded.result.is).bits == word_of(-3.0));
}

TEST_CASE("function: what was not captured is unseen, not guessed") {
  static constexpr ArgType kArgs[] = {arg("a", kInt), arg("x", kDouble)};
  static constexpr FunctionDesc kSqrt{"f", kDouble, kArgs};
  FunctionScene scene(kSqrt, {1});
  scene.entry.has_floatings = scene.registers.has_floatings = false;
  CHECK(scene.enter() == "1; unseen:0");
  CHECK(scene.leave(5) == "1; unseen:0 = unseen:0");
  CHECK(scene.decoded.unseen == 2);
}

TEST_CASE("function: the seventh integer is on the stack") {
  static constexpr ArgType kArgs[] = {arg("a", kInt), arg("b", kInt), arg("c", kInt), arg("d", kInt),
                                      arg("e", kInt), arg("f", kInt), arg("g", kInt), arg("h", kInt)};
  static constexpr FunctionDesc kMany{"f", kInt, kArgs};
  FunctionScene scene(kMany, {1, 2, 3, 4, 5, 6});
  scene.memory.put_object<uint64_t>(0x7008, 7).put_object<uint64_t>(0x7010, 0xffffffff00000008);
  CHECK(scene.enter() == "1; 2; 3; 4; 5; 6; 7; 8");
  FunctionScene lost(kMany, {1, 2, 3, 4, 5, 6});
  CHECK(lost.enter() == "1; 2; 3; 4; 5; 6; unseen:0; unseen:0");
}

constexpr FieldType kMixedFields[] = {field("", kInt), field("", kInt), field("", kDouble)};
constexpr StructLayout kMixedLayout{"mixed", kMixedFields};
constexpr FieldType kLargeFields[] = {field("", kLong), field("", kLong), field("", kLong)};
constexpr StructLayout kLargeLayout{"large", kLargeFields};

TEST_CASE("function: small structures come in registers, large ones on the stack") {
  static constexpr ArgType kArgs[] = {arg("s", structure(kMixedLayout)), arg("l", structure(kLargeLayout)),
                                      arg("i", kInt)};
  static constexpr FunctionDesc kByValue{"f", structure(kMixedLayout), kArgs};
  FunctionScene scene(kByValue, {0x0000000500000004, 6});
  scene.entry.floatings[0] = 9;
  scene.memory.put_object(0x7008, std::array<uint64_t, 3>{1, 2, 3});
  CHECK(scene.enter() == "{4, 5, 9}; {1, 2, 3}; 6");
  scene.registers.floatings[0] = 8;
  CHECK(scene.leave(0x0000000700000006) == "{4, 5, 9}; {1, 2, 3}; 6 = {6, 7, 8}");
}

TEST_CASE("function: a large structure that is returned takes the first register") {
  static constexpr ArgType kArgs[] = {arg("i", kInt)};
  static constexpr FunctionDesc kLargeResult{"f", structure(kLargeLayout), kArgs};
  FunctionScene scene(kLargeResult, {0x2000, 5});
  CHECK(scene.enter() == "5");
  scene.memory.put_object(0x2000, std::array<uint64_t, 3>{1, 2, 3});
  CHECK(scene.leave(0x2000) == "5 = {1, 2, 3}");
}

constexpr ArgType kPrintfArgs[] = {string("format")};
constexpr ArgType kSyscallArgs[] = {arg("number", kSyscallNumber)};
constexpr FunctionDesc kPrintf{"printf", kInt, kPrintfArgs, Varargs::Printf};

TEST_CASE("function: printf's arguments are what the format says") {
  FunctionScene scene(kPrintf, {0x1000, 5, 0x2000, 3, 0x2000});
  scene.memory.put(0x1000, std::string("%d %s %.*s %5.2f%% %lx\0", 23)).put(0x2000, std::string("hello\0", 6));
  scene.entry.floatings[0] = 1;
  scene.entry.integers[5] = 0xffffffffffffffff;
  CHECK(scene.enter() == "\"%d %s %.*s %5.2f%% %lx\"; 5; \"hello\"; 3; \"hel\"; 1; 0xffffffffffffffff");
  CHECK(scene.leave(12).ends_with(" = 12"));
}

constexpr FunctionDesc kVprintf{"vprintf", kInt, kPrintfArgs, Varargs::PrintfList};

/// A va_list at 0x3000: three integers and one vector register are taken.
void put_list(FunctionScene& scene, std::string_view format) {
  scene.memory.put(0x1000, std::string(format) + '\0').put(0x2000, std::string("hello\0", 6));
  scene.memory.put_object(0x3000, ArgumentList{24, 64, Addr{0x5008}, Addr{0x4000}});
  scene.memory.put_object(0x4000, std::array<uint64_t, 6>{99, 99, 99, 1, 2, 0x2000});
  scene.memory.put_object(0x4000 + 48, std::array<uint64_t, 16>{99, 99, word_of(1.5), 99, word_of(2.5)});
}

TEST_CASE("function: vprintf's arguments are those of its list") {
  FunctionScene scene(kVprintf, {0x1000, 0x3000});
  put_list(scene, "%d %f %d %s %g %d %Lf %d");
  scene.memory.put_object(0x5008, std::array<uint64_t, 1>{3});
  long double real = 4.5L;
  std::array<std::byte, 16> stored{};
  std::memcpy(stored.data(), &real, 10);
  scene.memory.put_object(0x5010, stored).put_object(0x5020, std::array<uint64_t, 1>{5});
  CHECK(scene.enter() == "\"%d %f %d %s %g %d %Lf %d\"; 1; " + std::to_string(word_of(1.5)) + "; 2; \"hello\"; " +
                             std::to_string(word_of(2.5)) + "; 3; " + std::to_string(word_of(4.5)) + "; 5");
}

TEST_CASE("function: a long double in a list is aligned") {
  FunctionScene scene(kVprintf, {0x1000, 0x3000});
  put_list(scene, "%d%d%d%Lf%d");
  scene.memory.put_object(0x5010, std::array<uint64_t, 3>{0, 0, 6});
  CHECK(scene.enter().ends_with("; 1; 2; 8192; 0; 6"));
}

TEST_CASE("function: a list that cannot be read is not seen") {
  FunctionScene scene(kVprintf, {0x1000, 0x3000});
  scene.memory.put(0x1000, std::string("%d\0", 3));
  CHECK(scene.enter() == "\"%d\"; unseen:0");
  // The target controls its content.
  scene.memory.put_object(0x3000, ArgumentList{~0u, ~0u, Addr{~0ull - 3}, Addr{~0ull}});
  CHECK(scene.enter() == "\"%d\"; unseen:0");
}

TEST_CASE("function: syscall's arguments are those of the system call") {
  constexpr FunctionDesc kSyscall{"syscall", kLong, kSyscallArgs, Varargs::Syscall, Failure::Negative};
  CHECK(FunctionScene(kSyscall, {39, 1, 2}).enter() == "SYS_getpid");
  CHECK(FunctionScene(kSyscall, {257, 0xffffff9c, 0x1000, 0101, 0644}).enter() ==
        "SYS_openat; dirfd:-100; 0x1000; named:0x41; 420");
  CHECK(FunctionScene(kSyscall, {257, 3, 0x1000, 0, 0644}).enter() == "SYS_openat; dirfd:3; 0x1000; named:0");
  FunctionScene mapped(kSyscall, {9, 0, 4096, 1, 0x22, ~0ull});
  mapped.memory.put_object<uint64_t>(0x7008, 8192);
  CHECK(mapped.enter() == "SYS_mmap; NULL; 4096; PROT_READ; 34; fd:-1; 0x2000");
  CHECK(FunctionScene(kSyscall, {100000, 1}).enter() == "named:0x186a0; 0x1; 0; 0; 0; 0; unseen:0");
}

TEST_CASE("function: a format that cannot be read says nothing of what follows") {
  FunctionScene scene(kPrintf, {0x1000, 5});
  CHECK(scene.enter() == "bad:0x1000");
}

TEST_CASE("function: positions, stars and odd conversions of formats") {
  auto types = [](std::string_view format) {
    std::vector<ArgType> result;
    append_printf(format, result);
    return result.size();
  };
  CHECK(types("plain %% %m") == 0);
  CHECK(types("%m%c %C %m") == 2);
  CHECK(types("%2$d %1$s") == 2);
  CHECK(types("%*.*f") == 3);
  CHECK(types("%hhd%hd%ld%lld%zu%jd%td%Lf") == 8);
  CHECK(types("%") == 0);
  CHECK(types("%9999999999999999999d%l") == 1);
  std::string many(200, 'x');
  for (size_t i = 0; i < 2 * kMaxDecodedArgs; i++) many += "%d";
  CHECK(types(many) == kMaxDecodedArgs);
  CHECK(types("%1000000$d") == 0);
}

constexpr ArgType kScanfArgs[] = {string("s"), string("format")};
constexpr FunctionDesc kScanf{"sscanf", kInt, kScanfArgs, Varargs::Scanf};

TEST_CASE("function: scanf's arguments are known when it has returned, as many as it assigned") {
  FunctionScene scene(kScanf, {0x1000, 0x1100, 0x2000, 0x2100, 0x2200});
  scene.memory.put(0x1000, std::string("5 ab\0", 5)).put(0x1100, std::string("%d %*d %9[a-z] %ld\0", 19));
  scene.memory.put_object<int>(0x2000, 5).put(0x2100, std::string("ab\0", 3));
  CHECK(scene.enter() == "\"5 ab\"; \"%d %*d %9[a-z] %ld\"; | ?; ?; ?");
  CHECK(scene.leave(2) == "\"5 ab\"; \"%d %*d %9[a-z] %ld\"; | box[5]; \"ab\"; 0x2200 = 2");
}

TEST_CASE("function: what scanf says of how much it has read is not counted") {
  FunctionScene scene(kScanf, {0x1000, 0x1100, 0x2000, 0x2100, 0x2200, 0x2300});
  scene.memory.put(0x1000, std::string("5 6 x\0", 6)).put(0x1100, std::string("%d%n%d%n\0", 9));
  scene.memory.put_object<int>(0x2000, 5).put_object<int>(0x2100, 1).put_object<int>(0x2200, 6);
  scene.memory.put_object<int>(0x2300, 3);
  scene.enter();
  CHECK(scene.leave(2).ends_with("; | box[5]; box[1]; box[6]; box[3] = 2"));
  scene.enter();
  CHECK(scene.leave(1).ends_with("; | box[5]; box[1]; 0x2200; 0x2300 = 1"));
  scene.enter();
  CHECK(scene.leave(-1).ends_with("; | 0x2000; 0x2100; 0x2200; 0x2300 = -1"));
}

TEST_CASE("function: vsscanf's arguments are those of its list, when it has returned") {
  constexpr FunctionDesc kVsscanf{"vsscanf", kInt, kScanfArgs, Varargs::ScanfList};
  FunctionScene scene(kVsscanf, {0x1000, 0x1100, 0x3000});
  scene.memory.put(0x1000, std::string("5 ab\0", 5)).put(0x1100, std::string("%d %s %ld\0", 10));
  scene.memory.put_object(0x3000, ArgumentList{32, 48, Addr{0x5000}, Addr{0x4000}});
  scene.memory.put_object(0x4000, std::array<uint64_t, 6>{99, 99, 99, 99, 0x2000, 0x2100});
  scene.memory.put_object<uint64_t>(0x5000, 0x2200);
  scene.memory.put_object<int>(0x2000, 5).put(0x2100, std::string("ab\0", 3));
  CHECK(scene.enter() == "\"5 ab\"; \"%d %s %ld\"; | ?; ?; ?");
  // The function may have read its list to the end.
  scene.memory.put_object(0x3000, ArgumentList{48, 48, Addr{0x5008}, Addr{0x4000}});
  CHECK(scene.leave(2) == "\"5 ab\"; \"%d %s %ld\"; | box[5]; \"ab\"; 0x2200 = 2");
}

TEST_CASE("function: unknown ones show their first registers") {
  FunctionScene scene(unknown_function(), {1, 2, 3, 4, 5});
  CHECK(scene.enter() == "1; 2; 3; 4");
}

TEST_CASE("function: elements up to one that is zero") {
  static constexpr Type kNumbers = pointer_to(kInt, {.until_zero = true});
  static constexpr Type kAtMost = pointer_to(kInt, {.from = LengthFrom::Arg, .index = 1, .until_zero = true});
  static constexpr Type kPartOfString = pointer_to(kString, {.from = LengthFrom::Arg, .index = 1, .until_zero = true});
  static constexpr ArgType kArgs[] = {arg("v", kNumbers), arg("n", kInt), arg("w", kAtMost), arg("s", kPartOfString)};
  static constexpr FunctionDesc kArrays{"f", kVoid, kArgs};
  FunctionScene scene(kArrays, {0x1000, 2, 0x1000, 0x2000});
  scene.memory.put_object(0x1000, std::array<int, 4>{1, 2, 3, 0}).put(0x2000, "abcdef");
  CHECK(scene.enter() == "[1, 2, 3]; 2; [1, 2]; \"ab\"");
  scene.options.max_items = 2;
  CHECK(scene.enter() == "[1, 2, ...]; 2; [1, 2]; \"ab\"");
}

extern const Type kNodeType;
const FieldType kNodeFields[] = {field("", kInt), field("", pointer_to(kNodeType)), field("", pointer_to(kNodeType))};
const StructLayout kNode{"node", kNodeFields, false, nullptr, 0, nullptr, true};
const Type kNodeType = structure(kNode);

TEST_CASE("function: recursive structures are expanded as deep as arrays are long") {
  static const ArgType kArgs[] = {arg("l", pointer_to(kNodeType))};
  static const FunctionDesc kList{"f", kVoid, kArgs};
  FunctionScene scene(kList, {0x1000});
  scene.options.max_items = 4;
  for (uint64_t i = 0; i < 6; i++)
    scene.memory.put_object(0x1000 + i * 0x100,
                            std::array<uint64_t, 3>{i, i < 5 ? 0x1100 + i * 0x100 : 0, i ? 0xf00 + i * 0x100 : 0});
  CHECK(scene.enter() == "{0, {1, {2, {3, {, ...}, {, ...}}, recurse^}, recurse^}, NULL}");
  scene.memory.put_object(0x1000, std::array<uint64_t, 3>{1, 0x1000, 0});
  CHECK(scene.enter() == "{1, recurse, NULL}");
}

TEST_CASE("function: wide strings") {
  static constexpr ArgType kArgs[] = {arg("s", kWideString), arg("c", kWideChar)};
  static constexpr FunctionDesc kWide{"f", kVoid, kArgs};
  FunctionScene scene(kWide, {0x2000 - 12, 0xe9});
  scene.memory.put_object(0x2000 - 12, std::array<uint32_t, 3>{'a', 0x20ac, 0});
  CHECK(scene.enter() == "\"a\u20ac\"; '\u00e9'");
}

TEST_CASE("function: wprintf's format is wide") {
  static constexpr ArgType kFormat[] = {arg("format", kWideString)};
  static constexpr FunctionDesc kWprintf{"wprintf", kInt, kFormat, Varargs::Printf};
  FunctionScene scene(kWprintf, {0x1000 - 28, 0x2000, 5});
  scene.memory.put_object(0x1000 - 28, std::array<uint32_t, 7>{0xe9, '%', 's', '%', '%', '%', 'd'})
      .put_object(0x1000, std::array<uint32_t, 64>{});
  scene.memory.put(0x2000, std::string("ab\0", 3));
  CHECK(scene.enter() == "\"\u00e9%s%%%d\"; \"ab\"; 5");
}

}  // namespace
}  // namespace strut::test
