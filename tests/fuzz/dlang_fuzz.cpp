// D programs with words from the fuzzer, bytecode that no compiler made, and records that no machine wrote.
//
// fuzz: rooms: below-dlang dlang; options: -max_len=1024
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dlang/compiler/compile.hpp"
#include "dlang/machine/machine.hpp"
#include "dlang/output/formatter.hpp"
#include "input.hpp"

using namespace strut;

namespace {

/// A byte from 128 up stands for one of these.
constexpr std::string_view kWords[] = {
    "BEGIN{",
    "}",
    ";",
    "BEGIN/",
    "/{",
    "trace(",
    ")",
    "printf(\"",
    "\",",
    "%d",
    "%s",
    "%-*.3x",
    "%k",
    "%A",
    "%@d",
    "%Y",
    "self->",
    "this->",
    "x",
    "y",
    "a[",
    "]",
    "@",
    "@a[",
    "]=",
    "count()",
    "sum(",
    "quantize(",
    "lquantize(arg0,0,10,2)",
    "llquantize(arg1,10,0,3,20)",
    "stddev(arg0)",
    "printa(@a)",
    "printa(\"%d %@d\",@a)",
    "clear(@a)",
    "trunc(@a,",
    "normalize(@a,",
    "execname",
    "pid",
    "arg0",
    "arg1",
    "timestamp",
    "probefunc",
    "curpsinfo->pr_psargs",
    "uregs[R_RAX]",
    "fds[0].fi_name",
    "strjoin(",
    "strlen(",
    "substr(",
    "index(",
    "strtok(",
    "basename(",
    "cleanpath(",
    "lltostr(",
    "strtoll(",
    "copyin(",
    "copyinstr(",
    "stringof(",
    "alloca(",
    "bcopy(",
    "tracemem(",
    "print(args[1])",
    "args[0]",
    "ustack()",
    "usym(",
    "exit(",
    "raise(",
    "(int)",
    "(char*)",
    "(struct s*)",
    "struct s{int a;char b[4];};",
    "inline int z=",
    "int ",
    "string ",
    "typedef ",
    "enum e{",
    "if(",
    "else ",
    "?",
    ":",
    "==",
    "!=",
    "<=",
    "&&",
    "||",
    "^^",
    "+=",
    "++",
    "->",
    "*",
    "&",
    "sizeof(",
    "NULL",
    "\"text\"",
    "'c'",
    "0x7fffffffffffffff",
    "-1",
    "1",
    "$1",
    "$$1",
    "$target",
    "#pragma D option quiet\n",
    "/*",
    "*/",
    ",",
    "/",
};

/// A probe with some facts of every kind, and a page of text as its target's memory.
class Probe : public ProbeContext, public Memory {
 public:
  uint64_t integer(DBuiltin which) override { return static_cast<uint64_t>(which) * 3; }
  std::string_view text(DBuiltin) override { return "text/of/a\x1bprobe"; }
  uint64_t argument(uint32_t index) override { return index == 0 ? 0x1000 : static_cast<uint64_t>(-1) << (index * 7); }
  uint64_t user_register(uint32_t index) override { return index; }
  uint64_t member(DSubject, uint64_t which, DMemberName) override { return which; }
  std::string_view member_text(DSubject, uint64_t, DMemberName) override { return "member"; }
  Memory& memory() override { return *this; }
  size_t user_stack(std::span<uint64_t> frames) override {
    for (uint64_t& frame : frames) frame = 0x401000;
    return frames.size();
  }
  bool is_progeny_of(int64_t pid) override { return pid > 0; }
  bool raise(int64_t) override { return true; }
  bool write_memory(Addr, std::span<const std::byte> bytes) override { return bytes.size() < 100; }

  ReadOutcome read(Addr at, std::span<std::byte> out) override {
    uint64_t from = raw(at) - 0x1000;
    size_t count = from < 4096 ? std::min<size_t>(out.size(), 4096 - from) : 0;
    for (size_t i = 0; i < count; i++) out[i] = static_cast<std::byte>('a' + i % 26);
    return {count, false};
  }
  ReadOutcome read_string(Addr at, std::span<char> out) override { return read(at, std::as_writable_bytes(out)); }
};

/// Every probe is a call's entry with a descriptor and an address.
class Types : public DProbeTypes {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription&) const override {
    return std::vector<DArgumentType>{{DArgumentType::Kind::Integer, "int", true},
                                      {DArgumentType::Kind::Integer, "void *", true}};
  }
  bool has(DOption::Kind, std::string_view name) const override { return name.size() % 2 == 0; }
};

class Names : public DSymbolizer {
 public:
  std::string name(uint64_t, uint64_t address, DShape::Kind) override { return "f+" + std::to_string(address); }
  std::string call_argument(std::string_view recorded) override {
    return std::string(recorded.substr(std::min(recorded.size(), sizeof(DCallArgument))));
  }
};

class Console : public DConsole {
 public:
  void write(std::string_view) override {}
  void exit(int32_t) override {}
  void system(const std::string&) override {}
  void freopen(const std::string&) override {}
  void ftruncate() override {}
  void setopt(const std::string&, const std::string&) override {}
};

/// Runs every clause a few times and prints its records; in the end, all aggregations and a record from the fuzzer.
void run(const DProgram& program, std::span<const uint8_t> record) {
  DMachine machine(program, {.text_bytes = 32, .dynamic_bytes = 2000, .aggregation_bytes = 1 << 16});
  Probe probe;
  Names names;
  Console console;
  DTextStyle style{.escape_controls = true};
  DFormatter formatter(program, machine.aggregations(), names, console, style);
  std::string out;
  for (int round = 0; round < 3; round++) {
    machine.begin_firing();
    for (uint32_t i = 0; i < program.clauses.size(); i++) formatter.report(out, machine.run(i, probe).record);
    if (out.size() > 100'000) out.clear();
  }
  formatter.report(out, std::as_bytes(record));
  formatter.report_rest(out);
  machine.forget_thread(Tid{static_cast<int32_t>(DBuiltin::Tid) * 3});
}

void source(fuzz::Input input) {
  std::string text;
  for (uint8_t byte : input.rest()) {
    if (byte < 128) text += static_cast<char>(byte);
    else text += kWords[(byte - 128) % std::size(kWords)];
  }
  DMacros macros{.arguments = {"fuzz", "7"}, .variables = {{"target", 5}}};
  DSource one{text};
  Types types;
  auto program = compile_d({.sources = {&one, 1}, .macros = &macros, .types = &types});
  if (!program) {
    if (describe(program.error(), TagDisplay::Shown).find('\n') != std::string::npos) std::abort();
    return;
  }
  if (disassemble(*program).empty() != program->clauses.empty() && program->variables.empty()) std::abort();
  run(*program, {});
}

DShape shape(fuzz::Input& input) {
  return {static_cast<DShape::Kind>(input.take<uint8_t>() % 14), static_cast<uint8_t>(input.take<uint8_t>() & 15),
          (input.take<uint8_t>() & 1) != 0};
}

DAggregation aggregation(fuzz::Input& input) {
  DAggregation made{.name = "a"};
  made.aggregate.function = static_cast<DAggregate::Function>(input.take<uint8_t>() % 9);
  made.aggregate.low = input.take<int16_t>();
  made.aggregate.high = made.aggregate.low + input.take<int8_t>();  // few enough rows to print
  made.aggregate.step = input.take<int8_t>();
  made.aggregate.factor = input.take<int8_t>();
  for (uint8_t keys = input.take<uint8_t>() % 3; keys > 0; keys--) made.keys.push_back(shape(input));
  return made;
}

void bytecode(fuzz::Input input) {
  DProgram program;
  program.constants = {input.take<uint64_t>(), 1};
  program.texts = {"one", std::string(40, 'x')};
  DShape text{DShape::Kind::Text}, number{DShape::Kind::Integer};
  for (DScope scope : {DScope::Global, DScope::Thread, DScope::Clause}) {
    program.variables.push_back({.name = "n", .scope = scope, .shape = number});
    program.variables.push_back({.name = "t", .scope = scope, .shape = text});
  }
  program.variables.push_back({.name = "na", .shape = number, .keys = {number}});
  program.variables.push_back({.name = "ta", .shape = text, .keys = {number, text}});
  program.aggregations = {aggregation(input), aggregation(input)};
  program.actions = {{.kind = DAction::Kind::Trace, .items = {shape(input)}},
                     {.kind = DAction::Kind::Printf,
                      .format = *parse_format("%d %*s %k"),
                      .items = {shape(input), shape(input), text, shape(input)}},
                     {.kind = DAction::Kind::Printa, .aggregations = {0, 1}},
                     {.kind = DAction::Kind::Printa, .format = *parse_format("%s %@d"), .aggregations = {1}},
                     {.kind = DAction::Kind::Trunc, .aggregations = {0}, .items = {number}},
                     {.kind = DAction::Kind::Normalize, .aggregations = {0}, .items = {number}}};
  std::string_view record = input.text(input.take<uint8_t>());
  while (!input.empty()) {
    DInstruction instruction;
    uint8_t op = input.take<uint8_t>();
    instruction.op = static_cast<DOp>(op < 250 ? op % op_count() : op);
    instruction.a = input.take<uint8_t>();
    instruction.b = input.take<uint8_t>();
    instruction.c = input.take<uint8_t>();
    instruction.imm = input.take<int8_t>();
    program.code.push_back(instruction);
  }
  program.code.push_back({});
  program.clauses = {{.probes = {{}},
                      .begin = 0,
                      .end = static_cast<uint32_t>(program.code.size()),
                      .integer_registers = 8,
                      .text_registers = 4}};
  if (verify(program)) run(program, {reinterpret_cast<const uint8_t*>(record.data()), record.size()});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  if (input.take<uint8_t>() % 2 == 0) source(input);
  else bytecode(input);
  return 0;
}
