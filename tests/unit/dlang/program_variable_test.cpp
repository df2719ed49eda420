// Variables of the program that is probed (`count), and what they lead to in its memory.
#include <cstring>
#include <utility>

#include "d_scene.hpp"

namespace strut::test {
namespace {

/// struct pair { int x; char name[8]; struct pair *next; unsigned low : 3, high : 5; } in the program's memory.
class Variables final : public DProbeTypes, public DTypeSource {
 public:
  std::optional<std::vector<DArgumentType>> arguments(const ProbeDescription&) const override { return std::nullopt; }
  bool has(DOption::Kind, std::string_view) const override { return true; }

  std::expected<DProgramVariableType, std::string> variable(const ProbeDescription& probes, std::string_view name,
                                                            DTypes& types) const override {
    auto* self = const_cast<Variables*>(this);
    if (pair_ == nullptr) {
      self->pair_ = types.anonymous("struct pair", false);
      self->pair_->source = self;
    }
    auto pointer = [&](const DType* to) { return types.pointer_to(to, DTypes::Leads::IntoProgram); };
    if (name == "`count") return DProgramVariableType{types.integer(probes.name == "wide" ? 8 : 4, true)};
    if (name == "a.out`total" || name == "`next") return DProgramVariableType{types.integer(8, false)};
    if (name == "`p") return DProgramVariableType{pointer(pair_)};
    if (name == "`text") return DProgramVariableType{pointer(types.integer(1, true))};
    if (name == "`pair") return self->complete(types, pair_), DProgramVariableType{pair_, true};
    if (name == "`numbers") return DProgramVariableType{types.array_of(types.integer(2, true), 4), true};
    return std::unexpected("it is optimized out there");
  }

  void complete(DTypes& types, DType* structure) override {
    if (structure->is_complete) return;
    const DType* bits = types.integer(4, false);
    structure->members = {{"x", types.integer(4, true), 0},
                          {"name", types.array_of(types.integer(1, true), 8), 4},
                          {"next", types.pointer_to(structure, DTypes::Leads::IntoProgram), 16},
                          {"low", bits, 24, true, 3, 0},
                          {"high", bits, 24, true, 5, 3}};
    structure->bytes = 32;
    structure->is_complete = true;
  }
  const DType* find(DTypes&, std::string_view) override { return nullptr; }

 private:
  DType* pair_ = nullptr;
};

constexpr uint64_t kFirst = 0x7000, kSecond = 0x7100, kText = 0x7200;

std::string bytes_of_pair(int32_t x, const char* name, uint64_t next, uint32_t bits) {
  std::string bytes(32, '\0');
  std::memcpy(bytes.data(), &x, 4);
  std::strncpy(bytes.data() + 4, name, 8);
  std::memcpy(bytes.data() + 16, &next, 8);
  std::memcpy(bytes.data() + 24, &bits, 4);
  return bytes;
}

/// The output of a clause with these values of the variables, in the order in which it names them. The kernel has them
/// by places of real sites: tests/dtrace/located compares those.
std::string shown(const std::string& statements, std::vector<SiteValue> variables) {
  Variables types;
  auto* other = std::exchange(beside, nullptr);
  DScene scene("pid1:a.out:f:1 { " + statements + " }", {}, {}, &types);
  scene.probe.variables = std::move(variables);
  scene.probe.target.put(kFirst, bytes_of_pair(-5, "first", kSecond, 5 | 17 << 3));
  scene.probe.target.put(kSecond, bytes_of_pair(6, "second", 0, 0));
  scene.probe.target.put(kText, std::string("some text\0", 10));
  std::string out = scene.fire();
  beside = other;
  return out;
}

std::string refused(const std::string& program) {
  Variables types;
  auto compiled_program = compiled(program, {}, &types);
  return compiled_program ? "" : describe(compiled_program.error(), TagDisplay::Shown);
}

TEST_CASE("d program variables: values, each asked for where it is used") {
  CHECK(shown("trace(`count);", {{static_cast<uint64_t>(-3), true}}) == "-3");
  CHECK(shown("trace(`count + a.out`total);", {{4, true}, {38, true}}) == "42");
  CHECK(shown("trace(`count ? `count : 0);", {{4, true}}) == "4");
  CHECK(shown("this->x = `count; trace(this->x * 2);", {{21, true}}) == "42");
  CHECK(shown("trace(sizeof (`count)); trace(sizeof (`pair)); trace(sizeof (*`p));", {}) == "43232");
  CHECK(shown("trace(`count);", {{0x123, false}}) == "<invalid address (0x123) in action #1>");
}

TEST_CASE("d program variables: pointers lead to the program's memory") {
  CHECK(shown("trace(`p->x); trace(`p->next->x);", {{kFirst, true}}) == "-56");
  CHECK(shown("trace(`p->low); trace(`p->high);", {{kFirst, true}}) == "517");
  CHECK(shown("trace(stringof(`p->name));", {{kFirst, true}}) == "first");
  CHECK(shown("printf(\"%s\", `p->next->name);", {{kFirst, true}}) == "second");
  CHECK(shown("trace((*`p).x);", {{kFirst, true}}) == "-5");
  CHECK(shown("trace(`p->name[1]);", {{kFirst, true}}) == std::to_string('i'));
  CHECK(shown("this->q = `p->next; trace(this->q->x);", {{kFirst, true}}) == "6");
  CHECK(shown("printf(\"%x\", (uint64_t)&`p->name);", {{kFirst, true}}) == "7004");
  CHECK(shown("trace(`p->next->next->x);", {{kFirst, true}}) == "<invalid address (0x0) in action #1>");
  CHECK(shown("trace(`text == \"some text\");", {{kText, true}}) == "1");
  CHECK(shown("trace(`text[5]); trace(stringof(`text + 5));", {{kText, true}}) == std::to_string('t') + "text");
}

TEST_CASE("d program variables: those that lie in memory are copied whole, or read in part") {
  CHECK(shown("trace(`pair.x); trace(`pair.next->x);", {{kFirst, true}}) == "-56");
  CHECK(shown("printf(\"%s\", `pair.name);", {{kFirst, true}}) == "first");
  CHECK(shown("print(`pair);", {{kFirst, true}}).contains("int x = 0xfffffffb"));
  CHECK(shown("print(*`p);", {{kSecond, true}}).contains("int x = 0x6"));
  CHECK(shown("trace(`numbers[0]);", {{kFirst, true}}) == "-5");
  CHECK(shown("this->q = &`pair; trace(this->q->x);", {{kFirst, true}}) == "-5");
  // A copy lies in scratch, wherever the pointer's type leads.
  CHECK(shown("this->q = &`pair; this->q = copyin((uintptr_t)this->q, 32); trace(this->q->x);", {{kFirst, true}}) ==
        "-5");
}

TEST_CASE("d program variables: refusals name the variable and say why") {
  CHECK(refused("pid1:::1 { trace(`gone); }").contains("failed to resolve `gone: it is optimized out there"));
  CHECK(refused("pid1:::1 { `count = 1; }").contains("can only be applied to a writable variable"));
  CHECK(refused("pid1:::1 { `p->x = 1; }").contains("D_OP_LVAL"));
  CHECK(refused("pid1:::1 { trace(`numbers[4]); }").contains("D_ARR_BOUNDS"));
  CHECK(refused("pid1:::1 { trace(&`p->low); }").contains("D_ADDROF_BITFIELD"));
  // A clause is compiled for each of its probes, where the types differ.
  CHECK(refused("pid1:::1, pid1:::wide { trace(`count); }").empty());
}

}  // namespace
}  // namespace strut::test
