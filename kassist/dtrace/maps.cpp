#include "kassist/dtrace/maps.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kassist/loader/object_types.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

/// Largest values of the kernel's task storage (BPF_LOCAL_STORAGE_MAX_VALUE_SIZE), with room for its own header.
constexpr uint32_t kMaxThreadBytes = 60'000;
/// The approximate cost of an element for the kernel beside key and value.
constexpr uint64_t kElementBytes = 64;
constexpr uint64_t kMaxElements = 1 << 20;
constexpr std::string_view kTracepointProviders[] = {"rawtp", "sched", "sdt", "io", "ip", "tcp", "udp", "vminfo"};

Error too_large(std::string what, std::string why) {
  return {0, "run the program in the kernel", std::move(what), std::move(why), "--backend=ptrace has no such limit"};
}

Result<OwnedFd> made(int fd, const char* what) {
  OwnedFd map(fd);
  if (!map) return fail(refused(std::string("create a BPF map for ") + what, -map.number()));
  return map;
}

Result<OwnedFd> create_array(const char* name, uint32_t bytes) {
  bpf_map_create_opts options{};
  options.sz = sizeof options;
  options.map_flags = BPF_F_MMAPABLE;
  return made(bpf_map_create(BPF_MAP_TYPE_ARRAY, name, 4, std::max(bytes, 8u), 1, &options), name);
}

/// Whether elements of maps are allocated when a program makes them.
enum class Elements : uint8_t { WhenMade, Before };

/// At many tracepoints (the scheduler's, with interrupts off) the kernel has memory for few new elements, or none.
Elements elements_of(const DProgram& program) {
  auto is_of_tracepoint = [](const ProbeDescription& probe) {
    return !probe.provider.empty() && std::ranges::any_of(kTracepointProviders, [&](std::string_view name) {
      return glob_matches(probe.provider, name);
    });
  };
  bool any = std::ranges::any_of(
      program.clauses, [&](const DClause& clause) { return std::ranges::any_of(clause.probes, is_of_tracepoint); });
  return any ? Elements::Before : Elements::WhenMade;
}

Result<OwnedFd> create_hash(const char* name, uint32_t key, uint32_t value, uint64_t room, Elements elements) {
  bpf_map_create_opts options{};
  options.sz = sizeof options;
  options.map_flags = elements == Elements::WhenMade ? uint32_t{BPF_F_NO_PREALLOC} : 0;
  uint64_t count = std::clamp<uint64_t>(room / (key + value + kElementBytes), 1, kMaxElements);
  return made(bpf_map_create(BPF_MAP_TYPE_HASH, name, key, value, static_cast<uint32_t>(count), &options), name);
}

Result<void> create_constants(const DProgram& program, DMaps& maps) {
  std::vector<std::byte> bytes;
  for (const std::string& text : program.texts) {
    auto length = static_cast<uint32_t>(std::min<size_t>(text.size(), maps.text_bytes - 1));
    d_text head{length, 0};
    maps.text_places.push_back(static_cast<uint32_t>(bytes.size()));
    maps.text_lengths.push_back(length);
    bytes.resize(bytes.size() + sizeof head + (length + 7) / 8 * 8);
    std::memcpy(bytes.data() + maps.text_places.back(), &head, sizeof head);
    std::memcpy(bytes.data() + maps.text_places.back() + sizeof head, text.data(), length);
  }
  if (bytes.empty()) return {};
  maps.constants = TRY(create_array("texts", static_cast<uint32_t>(bytes.size())));
  uint32_t first = 0;
  if (int error = bpf_map_update_elem(maps.constants.number(), &first, bytes.data(), BPF_ANY))
    return fail(refused("bpf(BPF_MAP_UPDATE_ELEM)", -error));
  return {};
}

Result<uint32_t> tuple_bytes(const DMaps& maps, const std::vector<DShape>& keys, const std::string& name) {
  uint32_t bytes = 0;
  for (const DShape& key : keys) bytes += maps.key_bytes(key);
  if (bytes > D_KEY_AREA)
    return fail(too_large(name, "its keys take " + std::to_string(bytes) + " bytes; the kernel's part has room for " +
                                    std::to_string(D_KEY_AREA)));
  return bytes;
}

Result<void> place_variables(const DProgram& program, DMaps& maps) {
  uint32_t globals = 0, threads = 0;
  maps.places.resize(program.variables.size());
  maps.arrays.resize(program.variables.size());
  for (size_t i = 0; i < program.variables.size(); i++) {
    const DVariable& variable = program.variables[i];
    uint32_t bytes = maps.cell(variable.shape);
    if (!variable.keys.empty()) {
      uint32_t key = TRY(tuple_bytes(maps, variable.keys, variable.name));
      maps.arrays[i] = TRY(create_hash("array", key, bytes, program.settings.dynvarsize, elements_of(program)));
      continue;
    }
    if (is_in_dynamic_memory(variable)) continue;  // DMemoryLayout
    uint32_t& used = variable.scope == DScope::Global   ? globals
                     : variable.scope == DScope::Thread ? threads
                                                        : maps.local_bytes;
    maps.places[i] = used;
    used += bytes;
    if (maps.local_bytes > D_LOCAL_AREA)
      return fail(too_large("this->" + variable.name,
                            "clause-local variables take more than " + std::to_string(D_LOCAL_AREA) + " bytes"));
    if (threads > kMaxThreadBytes)
      return fail(too_large("self->" + variable.name,
                            "a thread's variables take more than " + std::to_string(kMaxThreadBytes) + " bytes"));
  }
  if (globals > 0) maps.globals = TRY(create_array("globals", globals));
  if (threads > 0) maps.threads = TRY(create_task_storage("self", threads));
  return {};
}

Result<void> place_aggregations(const DProgram& program, DMaps& maps) {
  for (uint32_t index = 0; index < program.aggregations.size(); index++) {
    const DAggregation& aggregation = program.aggregations[index];
    auto bytes = static_cast<uint32_t>(kernel_words_of(program, index) * 8);
    if (begins_anew(program, index) && index >= D_ROUNDS)
      return fail(too_large("@" + aggregation.name,
                            "of more than " + std::to_string(D_ROUNDS) +
                                " aggregations a min() or max() among the later ones cannot be cleared"));
    if (bytes > D_SCRATCH)
      return fail(
          too_large("@" + aggregation.name, "its buckets take more than " + std::to_string(D_SCRATCH) + " bytes"));
    DTupleLayout tuple;
    tuple.outside = maps.late.aggregations.contains(index);
    for (const DShape& key : aggregation.keys) tuple.outside |= key.is_stack();
    if (!tuple.outside) tuple.bytes = TRY(tuple_bytes(maps, aggregation.keys, "@" + aggregation.name));
    maps.tuples.push_back(tuple);
    if (tuple.outside) maps.aggregations.emplace_back();
    else if (aggregation.keys.empty()) maps.aggregations.push_back(TRY(create_array("aggregation", bytes)));
    else
      maps.aggregations.push_back(
          TRY(create_hash("aggregation", tuple.bytes, bytes, program.settings.aggsize, elements_of(program))));
  }
  return {};
}

}  // namespace

/// Types describe it: int -> u64[n].
Result<OwnedFd> create_task_storage(const char* name, uint32_t bytes) {
  std::unique_ptr<btf, decltype(&btf__free)> types(btf__new_empty(), btf__free);
  int key = btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED), word = btf__add_int(types.get(), "word", 8, 0);
  int value = btf__add_array(types.get(), key, word, bytes / 8);
  uint32_t size = 0;
  const void* raw = btf__raw_data(types.get(), &size);
  OwnedFd loaded(bpf_btf_load(raw, size, nullptr));
  if (!loaded) return fail(refused("bpf(BPF_BTF_LOAD)", -loaded.number()));
  bpf_map_create_opts options{};
  options.sz = sizeof options;
  options.map_flags = BPF_F_NO_PREALLOC;
  options.btf_fd = static_cast<uint32_t>(loaded.number());
  options.btf_key_type_id = static_cast<uint32_t>(key);
  options.btf_value_type_id = static_cast<uint32_t>(value);
  return made(bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, name, 4, bytes, 0, &options), "self->");
}

uint32_t DMaps::key_bytes(const DShape& shape) const {
  if (shape.is_address()) return 16;
  if (shape.kind == DShape::Kind::Bytes) return std::max((shape.bytes + 7) / 8 * 8, 8u);
  return cell(shape);
}

bool begins_anew(const DProgram& program, uint32_t aggregation) {
  DAggregate::Function function = program.aggregations[aggregation].aggregate.function;
  if (function != DAggregate::Function::Min && function != DAggregate::Function::Max) return false;
  return std::ranges::any_of(program.actions, [&](const DAction& action) {
    bool ends_round = action.kind == DAction::Kind::Clear || action.kind == DAction::Kind::Trunc;
    return ends_round && std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
  });
}

size_t kernel_words_of(const DProgram& program, uint32_t aggregation) {
  if (begins_anew(program, aggregation)) return kRoundWords + 1;
  const DAggregate& aggregate = program.aggregations[aggregation].aggregate;
  // Quantize: a power of two, so that the verifier can see that the bucket is inside.
  return (aggregate.function == DAggregate::Function::Quantize ? kDPowerBuckets + 1 : words_of(aggregate)) + 1;
}

Result<DMaps> DMaps::create(const DProgram& program) {
  DMaps maps;
  uint64_t strsize = program.settings.strsize;
  if (strsize >= D_TEXT_MOST)
    return fail(too_large("strsize=" + std::to_string(strsize),
                          "strings in the kernel have at most " + std::to_string(D_TEXT_MOST - 1) + " bytes"));
  maps.text_bytes = static_cast<uint32_t>(strsize) + 1;
  for (const DClause& clause : program.clauses)
    if (clause.text_registers * maps.text_cell() > D_TEXT_AREA)
      return fail(too_large("strsize=" + std::to_string(strsize),
                            "a clause that works on " + std::to_string(clause.text_registers) +
                                " strings at a time has room for " +
                                std::to_string(D_TEXT_AREA / clause.text_registers - 17) + " bytes each"));
  maps.late = TRY(late_values(program));
  maps.memory = TRY(memory_layout(program));
  TRY_VOID(create_constants(program, maps));
  TRY_VOID(place_variables(program, maps));
  TRY_VOID(place_aggregations(program, maps));
  return maps;
}

}  // namespace strut
