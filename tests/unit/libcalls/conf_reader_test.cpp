// The language of ltrace.conf(5): each example of the manual, ltrace 0.7.3's output for it, and errors of lines.
#include "libcalls/prototypes/conf_reader.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "formatters/ltrace/value.hpp"
#include "libcalls/pairing/decode_function.hpp"
#include "libcalls/prototypes/prototype_libraries.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {
namespace {

/// One function of a file, called.
struct ConfScene {
  PrototypeStore store;
  std::vector<std::string> errors;
  ScriptedMemory memory;
  ScriptedSurroundings around;
  DecodeOptions options;
  EntryRegisters entry;
  ReturnRegisters result;

  explicit ConfScene(std::string_view text) {
    errors = read_prototypes(text, "conf", store);
    options.max_items = 4;
    entry.stack = Addr{0x7000};
    entry.has_floatings = result.has_floatings = true;
    memory.put(0x1000, std::string("hello world\0", 12))
        .put_object(0x2000, std::array<int, 11>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0});
  }
  /// The call as one line, with its result.
  std::string call(std::initializer_list<uint64_t> integers = {}, uint64_t rax = 0) {
    REQUIRE(errors == std::vector<std::string>{});
    const FunctionDesc* desc = store.find("f");
    REQUIRE(desc != nullptr);
    FunctionCall call;
    DecodedCall decoded;
    call.desc = desc;
    std::copy(integers.begin(), integers.end(), entry.integers.begin());
    decode_entry(call, entry, {memory, around, options}, decoded);
    result.rax = rax;
    decode_return(call, result, 0, {memory, around, options}, decoded);
    TextBuffer text;
    for (size_t i = 0; i < decoded.count; i++) {
      if (i != 0) text.put(", ");
      put_ltrace_value(text, decoded.args[i].value, options.max_string_bytes);
    }
    text.put(" = ");
    if (decoded.result.absent()) text.put("<void>");
    else put_ltrace_value(text, decoded.result, options.max_string_bytes);
    return std::string(text.view());
  }
};

std::string call(std::string_view conf, std::initializer_list<uint64_t> integers = {}, uint64_t rax = 0) {
  return ConfScene(conf).call(integers, rax);
}
uint64_t bits(double number) { return std::bit_cast<uint64_t>(number); }

TEST_CASE("ltrace.conf: primitive types") {
  CHECK(call("void f(char,short,ushort,int,uint);", {'a', 0xfffb, 65535, 0xfffffff9, 4000000000}) ==
        "'a', -5, 65535, -7, 4000000000 = <void>");
  CHECK(call("long f(long,ulong)", {~0ull, ~0ull}, ~0ull) == "-1, 18446744073709551615 = -1");
  CHECK(call("char f(void*,void*,addr);", {0, 0x10, 0}, 0x78) == "0, 0x10, 0 = 'x'");
  ConfScene scene("double f(float,double);");
  scene.entry.floatings = {std::bit_cast<uint32_t>(1.5f), bits(3.14159265358979)};
  scene.result.floatings[0] = bits(-2.25);
  CHECK(scene.call() == "1.500000, 3.141593 = -2.250000");
}

TEST_CASE("ltrace.conf: pointers show what they point to") {
  CHECK(call("void f(int*,char*,void**,int*);", {0x2000, 0x1000, 0x2000, 0}) == "1, 'h', 0x200000001, nil = <void>");
}

TEST_CASE("ltrace.conf: strings") {
  CHECK(call("string f(string,string);", {0x1000, 0}, 0x1000) == "\"hello world\", nil = \"hello world\"");
  CHECK(call("void f(string[arg2],int);", {0x1000, 5}) == "\"hello\", 5 = <void>");
  CHECK(call("void f(string[arg2],int);", {0x1000, 50}) == "\"hello world\", 50 = <void>");
  CHECK(call("void f(string(char*),string[zero],string(array(char,6)*),string(array(char,zero)*));",
             {0x1000, 0x1000, 0x1000, 0x1000}) == R"("hello world", "hello world", "hello ", "hello world" = <void>)");
  CHECK(call("int f(+string[retval],string3,int);", {0x1000, 0x1000, 2}, 3) == "\"hel\", \"he\", 2 = 3");
  CHECK(call("addr f(addr,string(array(char, arg3)*),ulong);", {1, 0x1008, 4}, 0) == R"(0x1, "rld\0", 4 = 0)");
}

TEST_CASE("ltrace.conf: lenses of numbers") {
  CHECK(call("octal f(oct(int),hex(int),bool(int),octal);", {8, 255, 7, 0}, 022) == "010, 0xff, true, 00 = 022");
  CHECK(call("bool(int) f(hide(int),int,hex(int*));", {1, 2, 0x2000}, 0) == "2, 0x1 = false");
  ConfScene scene("void f(hex(double));");
  scene.entry.floatings[0] = bits(1.5);
  CHECK(scene.call() == "0x1.8p+0 = <void>");
}

TEST_CASE("ltrace.conf: bit vectors") {
  CHECK(call("void f(bitvec(uint),bitvec(ushort));", {0xb8, 0x0102}) == "<3-5,7>, <1,8> = <void>");
  CHECK(call("void f(bitvec(array(char,4)*),bitvec(int*),bitvec(array(int,2)*));", {0x2000, 0x2008, 0x2000}) ==
        "<0>, <0-1>, <0,33> = <void>");
}

TEST_CASE("ltrace.conf: enumerations") {
  CHECK(call("void f(enum(RED,GREEN,BLUE),enum(RED,GREEN,BLUE),enum(RED));", {0, 2, 0xffffffff}) ==
        "RED, BLUE, -1 = <void>");
  CHECK(call("void f(enum[long](A=3,B,C=-1),enum[uint](A=1,B=0x80000000));", {4, 0x80000000}) == "B, B = <void>");
  CHECK(call("typedef e_foo = enum(RED,GREEN,BLUE);\nvoid f(e_foo);", {1}) == "GREEN = <void>");
}

TEST_CASE("ltrace.conf: arrays") {
  CHECK(call("void f(array(int,arg2)*,int);", {0x2000, 3}) == "[ 1, 2, 3 ], 3 = <void>");
  CHECK(call("void f(array(int,arg2),int);", {0x2000, 10}) == "[ 1, 2, 3, 4... ], 10 = <void>");
  CHECK(call("void f(array(int,arg2)*,int);", {0, 2}) == "nil, 2 = <void>");
  CHECK(call("void f(array(int,zero)*,array(int,zero(2))*,array(int,2)*,array(int,zero)*);",
             {0x2000, 0x2000, 0x2000, 0x2020}) == "[ 1, 2, 3, 4... ], [ 1, 2 ], [ 1, 2 ], [ 9, 10 ] = <void>");
  CHECK(call("int f(array(int,retval)*);", {0x2000}, 2) == "[ 1, 2 ] = 2");
  CHECK(call("void f(array(array(int,2),2)*);", {0x2000}) == "[ [ 1, 2 ], [ 3, 4 ] ] = <void>");
}

TEST_CASE("ltrace.conf: structures") {
  ConfScene scene("struct(float,char,char) f(int,struct(string(array(char, 6)),float),double);");
  scene.entry.floatings = {std::bit_cast<uint32_t>(2.5f), bits(7.5)};  // the structure's second eightbyte is a float's
  CHECK(scene.call({3, 0x636261}, 0x6261'3fc00000) ==
        R"(3, { "abc\0\0\0", 2.500000 }, 7.500000 = { 1.500000, 'a', 'b' })");
  CHECK(call("void f(struct(int,struct(int,int),array(int,2),hide(int),int)*);", {0x2000}) ==
        "{ 1, { 2, 3 }, [ 4, 5 ], 7 } = <void>");
  CHECK(call("typedef pair = struct(ulong,array(char,elt1)*);\nvoid f(pair*,pair*);", {0, 0x10}) ==
        "nil, 0x10 = <void>");
  ConfScene counted("void f(struct(ulong,string[elt1])*);");
  counted.memory.put_object(0x3000, std::array<uint64_t, 2>{4, 0x1000});
  CHECK(counted.call({0x3000}) == R"({ 4, "hell" } = <void>)");
}

TEST_CASE("ltrace.conf: recursive structures") {
  constexpr std::string_view kSingle =
      "typedef int_list = struct;\ntypedef int_list = struct(int, int_list*);\nvoid f(int_list*);";
  ConfScene list(kSingle);
  for (uint64_t i = 0; i < 10; i++)
    list.memory.put_object(0x4000 + i * 16, std::array<uint64_t, 2>{9 - i, i < 9 ? 0x4010 + i * 16 : 0});
  CHECK(list.call({0x4000}) == "{ 9, { 8, { 7, { 6, ... } } } } = <void>");
  CHECK(list.call({0x4090}) == "{ 0, nil } = <void>");
  ConfScene both("typedef l = struct;\ntypedef l = struct(int, l*, l*);\nvoid f(l*);");
  for (uint64_t i = 0; i < 4; i++)
    both.memory.put_object(0x4000 + i * 24,
                           std::array<uint64_t, 3>{i, i < 3 ? 0x4018 + i * 24 : 0, i ? 0x4000 + (i - 1) * 24 : 0});
  CHECK(both.call({0x4000}) == "{ 0, { 1, { 2, { 3, nil, ... }, recurse^ }, recurse^ }, nil } = <void>");
  both.memory.put_object(0x4000, std::array<uint64_t, 3>{1, 0x4000, 0});
  CHECK(both.call({0x4000}) == "{ 1, recurse, nil } = <void>");
}

TEST_CASE("ltrace.conf: formats") {
  ConfScene scene("int f(file,format);");
  scene.memory.put(0x5000, std::string("%s %d\n\0", 7));
  CHECK(scene.call({0x10, 0x5000, 0x1000, 5}, 4) == R"(0x10, "%s %d\n", "hello world", 5 = 4)");
}

TEST_CASE("ltrace.conf: lines, blanks and remarks") {
  ConfScene scene(
      "; remark\n\n  \t\n int  f ( int , int ) ; the rest is a remark\nint g()\r\nvoid h(void);\nint operator+(int);");
  CHECK(scene.errors.empty());
  CHECK(scene.store.size() == 4);
  CHECK(scene.store.find("operator+") != nullptr);
  CHECK(scene.store.find("h")->args.empty());
  CHECK(scene.call({1, 2}, 3) == "1, 2 = 3");
  CHECK(call("int f(int);\nint f(char);", {'a'}) == "'a' = 0");
}

TEST_CASE("ltrace.conf: what is wrong is said with its line") {
  auto error = [](std::string_view text) {
    ConfScene scene(text);
    return scene.errors.empty() ? std::string() : scene.errors[0];
  };
  CHECK(error("\nint f(nosuch);") == "conf:2: unknown type 'nosuch'");
  CHECK(error("int f(int;") == "conf:1: expected ',' or ')' instead of ';'");
  CHECK(error("int f int);") == "conf:1: expected '(' instead of 'int'");
  CHECK(error("int f(int") == "conf:1: expected ',' or ')' instead of 'the end of the line'");
  CHECK(error("int f(int) int") == "conf:1: unexpected 'int' at the end");
  CHECK(error("typedef a int;") == "conf:1: expected '=' instead of 'int'");
  CHECK(error("typedef = int;") == "conf:1: expected a name instead of '='");
  CHECK(error("int (int);") == "conf:1: a function's name is missing");
  CHECK(error("int f(array(int));") == "conf:1: expected ',' instead of ')'");
  CHECK(error("int f(array(int,-1)*);") == "conf:1: a length must be 0 to 1048576");
  CHECK(error("int f(array(int,argx)*);") == "conf:1: unknown expression 'argx'");
  CHECK(error("int f(enum(A,));") == "conf:1: expected a name instead of ')'");
  CHECK(error("int f(struct(int,));") == "conf:1: expected a type instead of ')'");
  CHECK(error("int f(oct(double));") == "conf:1: oct needs an integer type");
  CHECK(error("int f(bitvec(double));") == "conf:1: bitvec needs an integer, a structure or an array");
  CHECK(error("int f(string(int));") == "conf:1: string needs char* or array(char, …)");
  CHECK(error("int f(format,int);") == "conf:1: nothing can follow a format");
  CHECK(error("format f(int);") == "conf:1: a function cannot return a format");
  CHECK(error("int f(int,void);") == "conf:1: an argument cannot be void");
  CHECK(error("typedef a = struct;\ntypedef a = struct(a);") ==
        "conf:2: a structure that is not defined yet can only be pointed to");
  CHECK(error("int f(array(array(array(int,100000),100000),100000)*);") == "conf:1: an array is too large");
  CHECK(error("typedef a = struct(array(int,200000),array(int,200000));") == "conf:1: a structure is too large");
  CHECK(error("int f(" + std::string(100, '+') + "int);") == "conf:1: expected a type instead of '+'");
  std::string deep = "int f(";
  for (int i = 0; i < 50; i++) deep += "hide(";
  CHECK(error(deep) == "conf:1: types are nested too deeply");
}

TEST_CASE("ltrace.conf: a wrong line costs the others nothing, and there is an end to errors") {
  ConfScene scene("int g(nosuch);\nint f(int);");
  CHECK(scene.errors.size() == 1);
  CHECK(scene.store.find("f") != nullptr);
  std::string many;
  for (int i = 0; i < 1000; i++) many += "x\n";
  CHECK(ConfScene(many).errors.size() == 101);
}

TEST_CASE("ltrace.conf: structures of structures cannot multiply without end") {
  std::string text = "typedef a0 = struct();\n";
  for (int i = 1; i < 12; i++) {
    text += "typedef a" + std::to_string(i) + " = struct(";
    for (int j = 0; j < 20; j++) text += (j ? ",a" : "a") + std::to_string(i - 1);
    text += ");\n";
  }
  ConfScene scene(text);
  CHECK_FALSE(scene.errors.empty());
  CHECK(scene.errors[0] == "conf:5: a structure has too many members");
}

TEST_CASE("ltrace.conf: the language of version 0.7.91") {
  CHECK(ConfScene("# a remark\n  # another one\n; a third\nint f(int);").call({5}, 1) == "5 = 1");
  CHECK(ConfScene("function int f(int);").call({5}, 1) == "5 = 1");
  CHECK(ConfScene("int f(octal(long), oct(short), octal);").call({8, 9, 10}, 1) == "010, 011, 012 = 1");
  CHECK(ConfScene("void f(enum[uint](NONE = -1, SOME));").call({0xffffffff}) == "NONE = <void>");
  CHECK(ConfScene("void f(enum[ushort](NONE = -2));").call({0xfffe}) == "NONE = <void>");
  ConfScene real("void f(ldouble*);");
  real.memory.put_object(0x3000, 0.5L);
  CHECK(real.call({0x3000}) == "0.500000 = <void>");
}

/// A folder with files that is removed at the end.
struct ConfFolder {
  std::string path;
  ConfFolder() {
    std::string name = "/tmp/strut-conf.XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~ConfFolder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, std::string_view text) { std::ofstream(path + "/" + name) << text; }
};

TEST_CASE("ltrace.conf: import reads a file's types and functions once") {
  ConfFolder folder;
  folder.write("types.conf", "typedef number = hex(int);\nimport \"lib.conf\"\nint g();\n");
  folder.write("lib.conf", "import types;\nnumber f(number);\nimport nosuch\n");
  PrototypeStore store;
  auto errors = read_prototype_file(folder.path + "/lib.conf", store);
  REQUIRE(errors);
  CHECK(*errors == std::vector<std::string>{folder.path + "/lib.conf:3: no file nosuch.conf was found"});
  CHECK(store.find("f") != nullptr);
  CHECK(store.find("g") != nullptr);
  PrototypeStore other;
  ImportPath path{{folder.path}};
  CHECK(read_prototypes("import types\nnumber f();", "conf", other, path) == *errors);
  CHECK(other.find("f") != nullptr);
}

TEST_CASE("ltrace.conf: a library's file is named after it, or after its name without a version") {
  using Names = std::vector<std::string>;
  CHECK(prototype_file_names("libc.so.6") == Names{"libc.so.6", "libc.so"});
  CHECK(prototype_file_names("libx-1.2.so.3.4") == Names{"libx-1.2.so.3.4", "libx-1.2.so.3", "libx-1.2.so"});
  CHECK(prototype_file_names("libx.so") == Names{"libx.so"});
  CHECK(prototype_file_names("echo.sh") == Names{"echo.sh"});
}

TEST_CASE("ltrace.conf: the installed one has no errors") {
  PrototypeStore store;
  Result<std::vector<std::string>> errors = read_prototype_file("/etc/ltrace.conf", store);
  if (!errors) {
    MESSAGE("no /etc/ltrace.conf here");
    return;
  }
  CHECK(*errors == std::vector<std::string>{});
  CHECK(store.size() > 100);
  CHECK(store.find("printf")->varargs == Varargs::Printf);
  CHECK_FALSE(read_prototype_file("/nosuch", store));
}

}  // namespace
}  // namespace strut::test
