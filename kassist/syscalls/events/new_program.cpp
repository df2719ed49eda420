#include "kassist/syscalls/events/new_program.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace strut {

namespace {

constexpr size_t kMaxStrings = 1u << 16;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> strings;
  for (size_t end; (end = text.find('\0')) != text.npos; text.remove_prefix(end + 1))
    strings.emplace_back(text.substr(0, end));
  return strings;
}

/// The pointers of a vector that its chunks have.
std::vector<uint64_t> pointers_at(CapturedMemory& memory, uint64_t at, Abi abi) {
  std::vector<uint64_t> pointers;
  size_t word = pointer_bytes(abi);
  while (pointers.size() < kMaxStrings) {
    uint64_t pointer = 0;
    if (memory.captured(at, std::as_writable_bytes(std::span(&pointer, 1)).first(word)) < word || pointer == 0) break;
    pointers.push_back(pointer);
    at += word;
  }
  return pointers;
}

/// The last pointers are the last strings; the first ones of a script's were replaced.
void supply_vector(CapturedMemory& memory, std::span<const uint64_t> pointers, std::span<const std::string> strings,
                   size_t unknown) {
  if (pointers.size() > strings.size() + unknown) return;
  for (size_t i = unknown; i < pointers.size(); i++)
    memory.supply(pointers[i], strings[strings.size() - pointers.size() + i]);
}

}  // namespace

std::optional<NewProgram> new_program(const Order::Entry& entry) {
  const wire_program& wire = entry.record.header().program;
  NewProgram program;
  std::string strings;
  auto take = [&](RecordView part) {
    part.each_chunk([&](const ChunkView& chunk) {
      std::string_view content(reinterpret_cast<const char*>(chunk.content.data()), chunk.content.size());
      if (chunk.header->kind == WIRE_MEMORY) strings += content;
      if (chunk.header->kind == WIRE_PROGRAM) program.name = content.substr(0, content.find('\0'));
    });
  };
  for (const Order::Part& part : entry.parts) take(part.record);
  take(entry.record);
  if (strings.empty() || wire.arguments_end < wire.strings) return std::nullopt;
  size_t arguments = std::min<uint64_t>(wire.arguments_end - wire.strings, strings.size());
  program.interpreted = wire.is_script != 0;
  program.arguments = split(std::string_view(strings).substr(0, arguments));
  program.environment = split(std::string_view(strings).substr(arguments));
  return program;
}

void supply_strings(CapturedMemory& memory, const Call& call, const NewProgram& program) {
  auto first = static_cast<size_t>(call.effects().program);
  if (first == 0) memory.supply(call.regs[first], program.name);
  std::vector<uint64_t> arguments = pointers_at(memory, call.regs[first + 1], call.abi);
  if (!program.interpreted && arguments.size() != program.arguments.size()) arguments.clear();
  supply_vector(memory, arguments, program.arguments, program.interpreted ? 1 : 0);
  std::vector<uint64_t> variables = pointers_at(memory, call.regs[first + 2], call.abi);
  if (variables.size() == program.environment.size()) supply_vector(memory, variables, program.environment, 0);
}

}  // namespace strut
