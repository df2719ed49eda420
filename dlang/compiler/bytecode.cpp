#include "dlang/compiler/bytecode.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "dlang/compiler/program.hpp"
#include "dlang/language/builtin.hpp"

namespace strut {
namespace {

constexpr DOpRow kRows[] = {
#define OP(name, operands, meaning) {#name, operands, meaning},
#include "dlang/compiler/bytecode.inc"
#undef OP
};

/// One operand as text: the register with its letter, other things as numbers.
std::string operand(char letter, int64_t value) {
  switch (letter) {
    case 'd':
    case 'r': return " r" + std::to_string(value);
    case 't':
    case 's': return " t" + std::to_string(value);
    case 'o': return value == kNoRegister || value < 0 ? " -" : " r" + std::to_string(value);
    case 'j': return " +" + std::to_string(value);
    default: return ' ' + std::to_string(value);
  }
}

}  // namespace

const DOpRow& row_of(DOp op) { return kRows[static_cast<size_t>(op)]; }

size_t op_count() { return std::size(kRows); }

std::string describe(DFault fault, uint64_t address) {
  switch (fault) {
    case DFault::None: return "no error";
    case DFault::BadAddress: {
      static constexpr char kDigits[] = "0123456789abcdef";
      std::string digits;
      do digits.insert(digits.begin(), kDigits[address & 15]);
      while ((address >>= 4) != 0);
      return "invalid address (0x" + digits + ')';
    }
    case DFault::BadAlignment: return "invalid alignment";
    case DFault::IllegalOperation: return "illegal operation";
    case DFault::DivideByZero: return "divide-by-zero";
    case DFault::NoScratch: return "out of scratch space";
  }
  return "unknown error";
}

std::string disassemble(const DInstruction& instruction) {
  const DOpRow& row = row_of(instruction.op);
  std::string text(row.name);
  const int64_t values[] = {instruction.a, instruction.b, instruction.c, instruction.imm};
  for (size_t i = 0; i < row.operands.size(); i++)
    if (row.operands[i] != '-') text += operand(row.operands[i], values[i]);
  return text;
}

std::string disassemble(const DProgram& program) {
  std::string text;
  for (size_t i = 0; i < program.clauses.size(); i++) {
    const DClause& clause = program.clauses[i];
    text += "clause " + std::to_string(i) + ':';
    for (const ProbeDescription& probe : clause.probes) text += ' ' + quoted_source(probe.text(), SIZE_MAX);
    text += '\n';
    for (uint32_t at = clause.begin; at < clause.end; at++) {
      std::string number = std::to_string(at - clause.begin);
      text += std::string(number.size() < 4 ? 4 - number.size() : 0, ' ') + number + "  " +
              disassemble(program.code[at]) + '\n';
    }
  }
  for (size_t i = 0; i < program.texts.size(); i++)
    text += "text " + std::to_string(i) + ": " + quoted_source(program.texts[i], SIZE_MAX) + '\n';
  for (size_t i = 0; i < program.constants.size(); i++)
    text += "constant " + std::to_string(i) + ": " + std::to_string(program.constants[i]) + '\n';
  for (size_t i = 0; i < program.variables.size(); i++)
    text += "variable " + std::to_string(i) + ": " + program.variables[i].name + '\n';
  return text;
}

bool reads_kernel(const DProgram& program) {
  return std::ranges::any_of(program.code, [](const DInstruction& i) {
    return i.op == DOp::Builtin && static_cast<DBuiltin>(i.imm) == DBuiltin::Curthread;
  });
}

std::vector<uint32_t> program_variables_of(const DProgram& program, const DClause& clause) {
  std::set<uint32_t> found;
  for (uint32_t at = clause.begin; at < clause.end; at++)
    if (program.code[at].op == DOp::ProgramVariable) found.insert(static_cast<uint32_t>(program.code[at].imm));
  return {found.begin(), found.end()};
}

uint32_t statement_at(const DClause& clause, uint32_t code) {
  uint32_t number = 0;
  for (const DStatementMark& mark : clause.statements)
    if (mark.code <= code) number = mark.number;
  return number;
}

uint32_t usable_scratch_bytes(const DSettings& settings) {
  if (settings.scratchsize == 0) return kDScratchBytes;
  return static_cast<uint32_t>(std::min<uint64_t>(settings.scratchsize, kDScratchBytes));
}

}  // namespace strut
