// Compiles D and fires it at probes written by a test.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dlang/machine/machine.hpp"
#include "dlang/output/formatter.hpp"
#include "tests/unit/scripted_memory.hpp"

namespace strut::test {

/// A probe with values that a test has set; all others are 0 and empty.
class ScriptedProbe : public ProbeContext {
 public:
  std::map<DBuiltin, uint64_t> integers = {{DBuiltin::Pid, 100}, {DBuiltin::Tid, 101}, {DBuiltin::Ppid, 1}};
  std::map<DBuiltin, std::string> texts = {
      {DBuiltin::Execname, "ls"}, {DBuiltin::Probefunc, "munmap"}, {DBuiltin::Probename, "entry"}};
  std::vector<uint64_t> arguments;
  std::map<uint32_t, std::string> argument_texts;
  std::vector<SiteValue> variables;  ///< of the program
  std::map<uint32_t, uint64_t> registers;
  std::map<DMemberName, uint64_t> members;
  std::map<DMemberName, std::string> member_texts;
  std::vector<uint64_t> frames;
  ScriptedMemory target;
  std::vector<std::string> done;

  uint64_t integer(DBuiltin which) override { return integers.contains(which) ? integers[which] : 0; }
  std::string_view text(DBuiltin which) override {
    return texts.contains(which) ? std::string_view(texts[which]) : std::string_view{};
  }
  uint64_t argument(uint32_t index) override { return index < arguments.size() ? arguments[index] : 0; }
  std::string_view typed_argument_text(uint32_t index) override { return argument_texts[index]; }
  SiteValue program_variable(uint32_t index) override {
    return index < variables.size() ? variables[index] : SiteValue{};
  }
  uint64_t user_register(uint32_t index) override { return registers[index]; }
  uint64_t member(DSubject subject, uint64_t which, DMemberName member) override {
    return members[member] + static_cast<uint64_t>(subject) * 1000 + which * 10000;
  }
  std::string_view member_text(DSubject, uint64_t, DMemberName member) override { return member_texts[member]; }
  Memory& memory() override { return target; }
  size_t user_stack(std::span<uint64_t> room) override {
    size_t count = std::min(room.size(), frames.size());
    std::copy_n(frames.begin(), count, room.begin());
    return count;
  }
  bool is_progeny_of(int64_t pid) override { return pid == 1 || pid == 100; }
  bool raise(int64_t signal) override { return done.push_back("raise " + std::to_string(signal)), true; }
  bool write_memory(Addr at, std::span<const std::byte> bytes) override {
    target.put(raw(at), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return raw(at) != 0;
  }
};

/// Names addresses mod`f+0x1 by their digits.
class ScriptedSymbolizer : public DSymbolizer {
 public:
  std::string name(uint64_t, uint64_t address, DShape::Kind kind) override {
    if (kind == DShape::Kind::UserModule || kind == DShape::Kind::KernelModule) return "mod";
    std::string symbol = "mod`f" + std::to_string(address / 16);
    bool offset = (kind == DShape::Kind::UserAddress || kind == DShape::Kind::KernelAddress) && address % 16 != 0;
    return offset ? symbol + "+0x" + std::to_string(address % 16) : symbol;
  }
};

class ScriptedConsole : public DConsole {
 public:
  std::vector<std::string> done;
  void write(std::string_view text) override { done.push_back("write " + std::string(text)); }
  void exit(int32_t status) override { done.push_back("exit " + std::to_string(status)); }
  void system(const std::string& command) override { done.push_back("system " + command); }
  void freopen(const std::string& path) override { done.push_back("freopen " + path); }
  void ftruncate() override { done.push_back("ftruncate"); }
  void setopt(const std::string& name, const std::string& value) override {
    done.push_back("setopt " + name + "=" + value);
  }
};

inline std::expected<DProgram, Diagnostic> compiled(const std::string& text, const DMacros& macros = {},
                                                    const DProbeTypes* types = nullptr) {
  DSource source{text};
  return compile_d({.sources = {&source, 1}, .macros = &macros, .types = types});
}

/// "D_TAG line:column" of a program's error; empty: it has none.
inline std::string error_of(const std::string& text, const DMacros& macros = {}) {
  auto program = compiled(text, macros);
  if (program) return "";
  const Diagnostic& d = program.error();
  return std::string(name_of(d.tag)) + ' ' + std::to_string(d.at.line) + ':' + std::to_string(d.at.column);
}

struct DScene;
/// Called with each firing before it is done: another way of running programs is compared there (tests/kernel).
inline void (*beside)(DScene&) = nullptr;

/// A compiled program and its run.
struct DScene {
  explicit DScene(const std::string& text, const DMacros& macros = {}, const DLimits& limits = {},
                  const DProbeTypes* types = nullptr)
      : limits(limits) {
    auto compiled_program = compiled(text, macros, types);
    if (!compiled_program) {
      error = describe(compiled_program.error(), TagDisplay::Shown);
      FAIL_CHECK(error);
      return;
    }
    program = *std::move(compiled_program);
    machine = std::make_unique<DMachine>(program, limits);
  }

  /// Fires all clauses once; returns their output.
  std::string fire() {
    std::string out;
    if (!machine) return error;
    if (beside) beside(*this);
    machine->begin_firing();
    for (uint32_t i = 0; i < program.clauses.size(); i++) {
      last = machine->run(i, probe);
      fired += last.record.empty() ? 0 : 1;
      if (last.fault != DFault::None)
        out += '<' + describe(last.fault, last.address) + " in action #" + std::to_string(last.statement) + '>';
      emitter().report(out, last.record);
    }
    return out;
  }
  std::string rest() {
    std::string out;
    emitter().report_rest(out);
    return out;
  }
  DFormatter& emitter() {
    if (!formatter)
      formatter = std::make_unique<DFormatter>(program, machine->aggregations(), symbolizer, console, style);
    return *formatter;
  }

  DProgram program;
  DLimits limits;
  std::unique_ptr<DMachine> machine;
  std::shared_ptr<void> other;  ///< `beside`'s own
  ScriptedProbe probe;
  ScriptedSymbolizer symbolizer;
  ScriptedConsole console;
  DTextStyle style{.quiet = true};
  std::unique_ptr<DFormatter> formatter;  ///< for all firings
  DOutcome last;
  int fired = 0;
  std::string error;
};

/// The output of `BEGIN { trace(expression); }`.
inline std::string value_of(const std::string& expression, const ScriptedProbe& probe = {}) {
  DScene scene("BEGIN { trace(" + expression + "); }");
  scene.probe = probe;
  return scene.fire();
}

/// The output of the statements.
inline std::string printed(const std::string& statements, const ScriptedProbe& probe = {}) {
  DScene scene("BEGIN { " + statements + " }");
  scene.probe = probe;
  return scene.fire();
}

/// The output of a program's first firing.
inline std::string fire_once(const std::string& program) { return DScene(program).fire(); }

}  // namespace strut::test
