// Steps: variables, elements of arrays, tuples, aggregations.
#include "dlang/machine/run.hpp"

namespace strut {
namespace {

size_t index_of(const DInstruction& i) { return static_cast<size_t>(i.imm); }

/// The space of an element beside its key and string.
constexpr size_t kElementBytes = 64;

DElement* find(DRun& run, const DInstruction& i) {
  DElements& elements = run.arrays[index_of(i)];
  auto at = elements.find(run.key());
  return at == elements.end() ? nullptr : &at->second;
}

void erase(DRun& run, const DInstruction& i) {
  DElements& elements = run.arrays[index_of(i)];
  auto at = elements.find(run.key());
  if (at == elements.end()) return;
  run.dynamic_room += at->first.size() + at->second.text.size() + kElementBytes;
  elements.erase(at);
}

/// The element of the current keys, made if there is room for it and a string of so many bytes; nullptr: dropped.
DElement* make(DRun& run, const DInstruction& i, size_t text_bytes) {
  DElements& elements = run.arrays[index_of(i)];
  std::string_view key = run.key();
  auto at = elements.find(key);
  size_t had = at == elements.end() ? 0 : at->second.text.size();
  size_t cost = text_bytes + (at == elements.end() ? key.size() + kElementBytes : 0);
  if (cost > run.dynamic_room + had) {
    run.dynamic_drops++;
    return nullptr;
  }
  run.dynamic_room = run.dynamic_room + had - cost;
  if (at == elements.end()) at = elements.emplace(key, DElement{}).first;
  return &at->second;
}

/// The first key empties the tuple.
DRecordWriter& key_at(DRun& run, const DInstruction& i) {
  if (key_number(i) == 0) run.keys.clear();
  return run.keys;
}

}  // namespace

void DSteps::LoadGlobal(DRun& run, const DInstruction& i) { run.r[i.a] = run.globals.numbers[index_of(i)]; }
void DSteps::StoreGlobal(DRun& run, const DInstruction& i) { run.globals.numbers[index_of(i)] = run.r[i.a]; }
void DSteps::LoadGlobalText(DRun& run, const DInstruction& i) {
  run.set_kept_text(i.a, run.globals.texts[index_of(i)]);
}
void DSteps::StoreGlobalText(DRun& run, const DInstruction& i) { run.globals.texts[index_of(i)] = run.kept_text(i.a); }

void DSteps::LoadClause(DRun& run, const DInstruction& i) { run.r[i.a] = run.clause_locals.numbers[index_of(i)]; }
void DSteps::StoreClause(DRun& run, const DInstruction& i) { run.clause_locals.numbers[index_of(i)] = run.r[i.a]; }
void DSteps::LoadClauseText(DRun& run, const DInstruction& i) {
  run.set_kept_text(i.a, run.clause_locals.texts[index_of(i)]);
}
void DSteps::StoreClauseText(DRun& run, const DInstruction& i) {
  run.clause_locals.texts[index_of(i)] = run.kept_text(i.a);
}

void DSteps::LoadThread(DRun& run, const DInstruction& i) {
  DCells* cells = run.thread_cells(false);
  run.r[i.a] = cells == nullptr ? 0 : cells->numbers[index_of(i)];
}
void DSteps::StoreThread(DRun& run, const DInstruction& i) {
  if (DCells* cells = run.thread_cells(run.r[i.a] != 0)) cells->numbers[index_of(i)] = run.r[i.a];
}
void DSteps::LoadThreadText(DRun& run, const DInstruction& i) {
  DCells* cells = run.thread_cells(false);
  if (cells == nullptr) run.set_null(i.a);
  else run.set_kept_text(i.a, cells->texts[index_of(i)]);
}
void DSteps::StoreThreadText(DRun& run, const DInstruction& i) {
  if (DCells* cells = run.thread_cells(!run.is_null(i.a))) cells->texts[index_of(i)] = run.kept_text(i.a);
}

void DSteps::LoadElement(DRun& run, const DInstruction& i) {
  const DElement* element = find(run, i);
  run.r[i.a] = element == nullptr ? 0 : element->number;
}
void DSteps::StoreElement(DRun& run, const DInstruction& i) {
  if (run.r[i.a] == 0) return erase(run, i);
  if (DElement* element = make(run, i, 0)) element->number = run.r[i.a];
}
void DSteps::LoadElementText(DRun& run, const DInstruction& i) {
  const DElement* element = find(run, i);
  if (element == nullptr) run.set_null(i.a);
  else run.set_text(i.a, std::string_view(element->text));
}
void DSteps::StoreElementText(DRun& run, const DInstruction& i) {
  if (run.is_null(i.a)) return erase(run, i);
  if (DElement* element = make(run, i, run.t[i.a].size())) element->text = run.t[i.a];
}

void DSteps::AddressThread(DRun& run, const DInstruction& i) {
  DCells* cells = run.thread_cells(i.c != 0);
  size_t bytes = run.program.variables[index_of(i)].bytes;
  std::optional<std::string>* memory = cells == nullptr ? nullptr : &cells->texts[index_of(i)];
  if (memory != nullptr && i.c != 0 && !*memory) memory->emplace();
  bool absent = memory == nullptr || !*memory;
  run.r[i.a] = absent ? run.window_on_nothing(bytes) : run.window_on(**memory, bytes);
}
void DSteps::AddressElement(DRun& run, const DInstruction& i) {
  size_t bytes = run.program.variables[index_of(i)].bytes;
  DElement* element = i.c != 0 ? make(run, i, bytes) : find(run, i);
  run.r[i.a] = element == nullptr ? run.window_on_nothing(bytes) : run.window_on(element->text, bytes);
}

void DSteps::Key(DRun& run, const DInstruction& i) { key_at(run, i).integer(run.r[i.a]); }
void DSteps::KeyText(DRun& run, const DInstruction& i) { key_at(run, i).text(run.t[i.a]); }
void DSteps::KeyBytes(DRun& run, const DInstruction& i) {
  if (const std::byte* from = run.scratch_at(run.r[i.a], key_bytes(i)))
    key_at(run, i).text({reinterpret_cast<const char*>(from), key_bytes(i)});
}
void DSteps::KeyUserStack(DRun& run, const DInstruction& i) {
  key_at(run, i).stack(run.process(), run.user_frames(run.r[i.b]));
}
void DSteps::KeyKernelStack(DRun& run, const DInstruction& i) {
  key_at(run, i).stack(0, run.kernel_frames(run.r[i.b]));
}
void DSteps::KeyAddress(DRun& run, const DInstruction& i) { key_at(run, i).address(run.process(), run.r[i.a]); }
void DSteps::KeyKernelAddress(DRun& run, const DInstruction& i) { key_at(run, i).address(0, run.r[i.a]); }

void DSteps::Aggregate(DRun& run, const DInstruction& i) {
  auto index = static_cast<uint32_t>(i.imm);
  if (run.program.aggregations[index].keys.empty()) run.keys.clear();
  int64_t weight = i.a == kNoRegister ? 1 : static_cast<int64_t>(run.r[i.a]);
  run.aggregations.take(index, run.keys.bytes(), static_cast<int64_t>(run.r[i.b]), weight);
}

}  // namespace strut
