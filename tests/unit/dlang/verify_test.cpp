// Code that must not run, and records that are none.
#include <cstring>

#include "d_scene.hpp"

namespace strut::test {
namespace {

/// One clause of this code, with a table entry of every sort to point at.
DProgram program_of(std::vector<DInstruction> code) {
  DProgram program;
  program.code = std::move(code);
  program.constants = {1};
  program.texts = {"text"};
  program.variables = {
      {.name = "g", .shape = {DShape::Kind::Integer}},
      {.name = "t", .scope = DScope::Thread, .shape = {DShape::Kind::Text}},
      {.name = "a", .shape = {DShape::Kind::Integer}, .keys = {{DShape::Kind::Integer}, {DShape::Kind::Text}}}};
  program.aggregations = {{.name = "", .keys = {{DShape::Kind::Text}}}};
  program.actions = {{.kind = DAction::Kind::Trace, .items = {{DShape::Kind::Integer}}},
                     {.kind = DAction::Kind::Fired}};
  DClause clause{.probes = {{}}, .begin = 0, .end = static_cast<uint32_t>(program.code.size())};
  clause.integer_registers = 4;
  clause.text_registers = 2;
  program.clauses = {clause};
  return program;
}

std::string refusal(std::vector<DInstruction> code) {
  auto verdict = verify(program_of(std::move(code)));
  return verdict ? "" : verdict.error();
}

TEST_CASE("d verify: code within its bounds") {
  CHECK(refusal({{DOp::Immediate, 0, 0, 0, 5}, {DOp::Record, 0, 0, 0, 0}, {DOp::PutInteger, 0}, {DOp::End}}) == "");
  CHECK(refusal({{DOp::Immediate, 0, 0, 0, 5},
                 {DOp::Text, 1, 0, 0, 0},
                 {DOp::Key, 0, 0, 0, 0},
                 {DOp::KeyText, 1, 0, 0, 1},
                 {DOp::LoadElement, 1, 0, 0, 2},
                 {DOp::End}}) == "");
  CHECK(refusal({{DOp::Text, 0, 0, 0, 0},
                 {DOp::Immediate, 0, 0, 0, 1},
                 {DOp::KeyText, 0, 0, 0, 0},
                 {DOp::Aggregate, 255, 0, 0, 0},
                 {DOp::End}}) == "");
}

TEST_CASE("d verify: operands that point nowhere") {
  auto refused = [](DInstruction instruction) { return !refusal({instruction, {DOp::End}}).empty(); };
  CHECK(refused({static_cast<DOp>(op_count()), 0}));
  CHECK(refused({DOp::Immediate, 4}));
  CHECK(refused({DOp::Immediate, 0, 1}));
  CHECK(refused({DOp::Copy, 0, 1}));  // not yet written
  CHECK(refused({DOp::Constant, 0, 0, 0, 1}));
  CHECK(refused({DOp::Constant, 0, 0, 0, -1}));
  CHECK(refused({DOp::Text, 0, 0, 0, 1}));
  CHECK(refused({DOp::Text, 2, 0, 0, 0}));
  CHECK(refused({DOp::TextCopy, 0, 1}));
  CHECK(refused({DOp::LoadGlobal, 0, 0, 0, 3}));
  CHECK(refused({DOp::LoadGlobal, 0, 0, 0, 1}));      // a thread's
  CHECK(refused({DOp::LoadGlobal, 0, 0, 0, 2}));      // an array
  CHECK(refused({DOp::LoadGlobalText, 0, 0, 0, 0}));  // a number
  CHECK(refused({DOp::LoadElement, 0, 0, 0, 2}));     // without keys
  CHECK(refused({DOp::Builtin, 0, 0, 0, static_cast<int32_t>(DBuiltin::Execname)}));
  CHECK(refused({DOp::BuiltinText, 0, 0, 0, static_cast<int32_t>(DBuiltin::Pid)}));
  CHECK(refused({DOp::Argument, 0, 0, 0, 10}));
  CHECK(refused({DOp::Record, 0, 0, 0, 2}));
  CHECK(refused({DOp::Record, 0, 0, 0, 0}));  // lacks its item
  CHECK(refused({DOp::PutInteger, 0}));
  CHECK(refused({DOp::Jump, 0, 0, 0, 0}));
  CHECK(refused({DOp::Jump, 0, 0, 0, -1}));
  CHECK(refused({DOp::Jump, 0, 0, 0, 2}));
  CHECK(refusal({{DOp::Jump, 0, 0, 0, 1}, {DOp::End}}) == "");
  CHECK_FALSE(refusal({{DOp::Immediate, 0, 0, 0, 1}}).empty());  // no End
}

TEST_CASE("d verify: what only one of two ways has written") {
  std::vector<DInstruction> code = {{DOp::Immediate, 0, 0, 0, 1},
                                    {DOp::JumpZero, 0, 0, 0, 2},
                                    {DOp::Immediate, 1, 0, 0, 1},
                                    {DOp::Copy, 2, 1},
                                    {DOp::End}};
  CHECK(refusal(code) == "clause 0: instruction 3 (Copy r2 r1): reads a register that was not written");
  code[1].imm = 1;
  CHECK(refusal(code) == "");
  CHECK_FALSE(refusal({{DOp::Immediate, 0, 0, 0, 1},
                       {DOp::JumpZero, 0, 0, 0, 2},
                       {DOp::Record, 0, 0, 0, 0},
                       {DOp::PutInteger, 0},
                       {DOp::End}})
                  .empty());
  CHECK_FALSE(refusal({{DOp::Immediate, 0, 0, 0, 1},
                       {DOp::Text, 0, 0, 0, 0},
                       {DOp::JumpZero, 0, 0, 0, 2},
                       {DOp::Key, 0, 0, 0, 0},
                       {DOp::KeyText, 0, 0, 0, 1},
                       {DOp::LoadElement, 0, 0, 0, 2},
                       {DOp::End}})
                  .empty());
}

TEST_CASE("d verify: tables that lie") {
  DProgram program = program_of({{DOp::End}});
  program.actions[0].aggregations = {5};
  CHECK_FALSE(verify(program));
  program = program_of({{DOp::End}});
  program.aggregations[0].aggregate = {.function = DAggregate::Function::Lquantize, .low = 0, .high = 1, .step = 0};
  CHECK_FALSE(verify(program));
  program.aggregations[0].aggregate = {
      .function = DAggregate::Function::Llquantize, .low = 0, .high = 40, .step = 10, .factor = 10};
  CHECK_FALSE(verify(program));
  program = program_of({{DOp::End}});
  program.actions[0].items[0].bytes = 200;
  CHECK_FALSE(verify(program));
  program = program_of({{DOp::End}});
  program.clauses[0].end = 2;
  CHECK_FALSE(verify(program));
}

TEST_CASE("d verify: what is verified runs") {
  DProgram program =
      program_of({{DOp::Immediate, 0, 0, 0, -1}, {DOp::Record, 0, 0, 0, 0}, {DOp::PutInteger, 0}, {DOp::End}});
  REQUIRE(verify(program));
  DMachine machine(program, {});
  ScriptedProbe probe;
  machine.begin_firing();
  CHECK(machine.run(0, probe).record.size() == 16);
  CHECK(disassemble(program) ==
        "clause 0: \":::\"\n   0  Immediate r0 -1\n   1  Record 0\n   2  PutInteger r0\n   3  End\n"
        "text 0: \"text\"\nconstant 0: 1\nvariable 0: g\nvariable 1: t\nvariable 2: a\n");
}

TEST_CASE("d records: what was written is read") {
  DRecordWriter writer;
  writer.begin(7);
  writer.integer(5);
  writer.text("nine byte");
  writer.begin(8);
  writer.stack(3, std::array<uint64_t, 2>{10, 20});
  writer.address(4, 5);
  DRecordReader reader(writer.bytes());
  auto first = reader.next();
  REQUIRE(first);
  CHECK(first->action == 7);
  DItemReader items(first->items);
  CHECK(items.next({DShape::Kind::Integer})->integer == 5);
  CHECK(items.next({DShape::Kind::Text})->text == "nine byte");
  CHECK(items.ended());
  auto second = reader.next();
  REQUIRE(second);
  DItemReader more(second->items);
  auto stack = more.next({DShape::Kind::UserStack});
  REQUIRE(stack);
  CHECK(stack->frame_count() == 2);
  CHECK(stack->frame(1) == 20);
  CHECK(more.next({DShape::Kind::UserSymbol})->integer == 5);
  CHECK_FALSE(reader.next());
}

TEST_CASE("d records: bytes that are none are left out") {
  uint64_t bytes[4] = {uint64_t{100} << 32, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  auto all = std::as_bytes(std::span(bytes));
  CHECK_FALSE(DRecordReader(all).next());
  CHECK_FALSE(DItemReader(all.subspan(8)).next({DShape::Kind::Text}));
  CHECK_FALSE(DItemReader(all.subspan(8)).next({DShape::Kind::UserStack}));
  CHECK_FALSE(DItemReader(all.first(4)).next({DShape::Kind::Integer}));
}

}  // namespace
}  // namespace strut::test
