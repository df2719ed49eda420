#include "dlang/machine/machine.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "dlang/machine/run.hpp"

namespace strut {
namespace {

using Step = void (*)(DRun&, const DInstruction&);

/// Faults where a string that must be there is NULL. `kReads`: a bit for each of a, b, c.
template <Step kStep, unsigned kReads>
void with_texts(DRun& run, const DInstruction& i) {
  bool has_null = ((kReads & 1) != 0 && run.is_null(i.a)) || ((kReads & 2) != 0 && run.is_null(i.b)) ||
                  ((kReads & 4) != 0 && run.is_null(i.c));
  if (has_null) return run.fail(DFault::BadAddress);
  kStep(run, i);
}

template <DOp kOp>
constexpr unsigned texts_read(std::string_view operands) {
  unsigned reads = 0;
  for (unsigned k = 0; k < 3 && !takes_null(kOp); k++) reads |= (operands[k] == 's' ? 1u : 0u) << k;
  return reads;
}

template <Step kStep, unsigned kReads>
constexpr Step step_of() {
  if constexpr (kReads == 0) return kStep;
  else return with_texts<kStep, kReads>;
}

constexpr Step kSteps[] = {
#define OP(name, operands, meaning) step_of<DSteps::name, texts_read<DOp::name>(operands)>(),
#include "dlang/compiler/bytecode.inc"
#undef OP
};

constexpr size_t kMaxFrames = 512;
/// The cost of a thread's variables or of an element, beside their values.
constexpr size_t kOverhead = 64;

size_t bytes_of_thread(const DProgram& program) {
  size_t bytes = kOverhead + program.variables.size() * (sizeof(uint64_t) + sizeof(std::string));
  for (const DVariable& variable : program.variables)
    if (variable.scope == DScope::Thread) bytes += variable.bytes;
  return bytes;
}

}  // namespace

DRun::DRun(const DProgram& of, const DLimits& limits)
    : program(of),
      text_bytes(std::max<size_t>(limits.text_bytes, 2)),
      text_places(std::make_unique<char[]>(text_bytes * kDTextRegisters)),
      scratch_bytes(std::min(of.clause_bytes + limits.scratch_bytes, kDScratchBytes)),
      scratch(std::make_unique<std::byte[]>(kDScratchBytes)),
      global_memory(of.global_bytes),
      globals(of.variables.size()),
      clause_locals(of.variables.size()),
      arrays(of.variables.size()),
      thread_bytes(bytes_of_thread(of)),
      dynamic_room(limits.dynamic_bytes),
      frames(kMaxFrames),
      aggregations(of, limits.aggregation_bytes),
      random(monotonic_ns() | 1) {}

std::byte* DRun::scratch_at(uint64_t address, uint64_t bytes) {
  std::span<std::byte> memory = memory_from(address);
  if (memory.data() != nullptr && bytes <= memory.size()) return memory.data();
  fail(DFault::BadAddress, address);
  return nullptr;
}

std::span<std::byte> DRun::memory_from(uint64_t address) {
  uint64_t offset = address - kDScratchBase;
  if (offset <= scratch_used) return {scratch.get() + offset, scratch_used - offset};
  uint64_t window = offset / kDWindowBytes, within = offset % kDWindowBytes;
  if (window == 0 || window > windows.size() + 1) return {};
  std::span<std::byte> memory = window == 1 ? std::span(global_memory) : windows[window - 2];
  return within <= memory.size() ? memory.subspan(within) : std::span<std::byte>{};
}

/// A variable's bytes are kept where others have their strings.
uint64_t DRun::window_on(std::string& bytes, size_t size) {
  bytes.resize(size);
  windows.emplace_back(reinterpret_cast<std::byte*>(bytes.data()), size);
  return kDFirstWindow + (windows.size() - 1) * kDWindowBytes;
}

/// Zeros, whatever was stored there in the place of a variable that was dropped.
uint64_t DRun::window_on_nothing(size_t size) {
  auto [at, is_new] = absent.try_emplace(size);
  if (is_new) at->second = std::make_unique<std::byte[]>(size);
  else std::memset(at->second.get(), 0, size);
  windows.emplace_back(at->second.get(), size);
  return kDFirstWindow + (windows.size() - 1) * kDWindowBytes;
}

std::optional<uint64_t> DRun::allocate(uint64_t bytes) {
  size_t from = (scratch_used + 7) / 8 * 8;
  if (from > scratch_bytes || bytes > scratch_bytes - from) {
    fail(DFault::NoScratch);
    return std::nullopt;
  }
  std::memset(scratch.get() + scratch_used, 0, from + bytes - scratch_used);
  scratch_used = from + bytes;
  return kDScratchBase + from;
}

DCells* DRun::thread_cells(bool make) {
  auto tid = static_cast<int64_t>(context->integer(DBuiltin::Tid));
  if (cached_thread == tid) return cached_cells;
  auto at = threads.find(tid);
  if (at == threads.end()) {
    if (!make) return nullptr;
    if (thread_bytes > dynamic_room) dynamic_room += forget_unset() * thread_bytes;
    if (thread_bytes > dynamic_room) {
      dynamic_drops++;
      return nullptr;
    }
    dynamic_room -= thread_bytes;
    at = threads.emplace(tid, DCells(program.variables.size(), std::nullopt)).first;
  }
  cached_thread = tid;
  cached_cells = &at->second;
  return cached_cells;
}

/// Frees the entries of threads with no variable but 0 or empty ones; returns their number.
size_t DRun::forget_unset() {
  cached_thread.reset();
  return std::erase_if(threads, [](const auto& thread) {
    const DCells& cells = thread.second;
    return std::all_of(cells.numbers.begin(), cells.numbers.end(), [](uint64_t number) { return number == 0; }) &&
           std::all_of(cells.texts.begin(), cells.texts.end(), [](const auto& text) { return !text.has_value(); });
  });
}

std::span<const uint64_t> DRun::user_frames(uint64_t most) {
  std::span<uint64_t> room(frames.data(), std::min<uint64_t>(most, kMaxFrames));
  return room.first(std::min(context->user_stack(room), room.size()));
}

std::span<const uint64_t> DRun::kernel_frames(uint64_t most) {
  std::span<uint64_t> room(frames.data(), std::min<uint64_t>(most, kMaxFrames));
  return room.first(std::min(context->kernel_stack(room), room.size()));
}

// -- the machine --------------------------------------------------------------------------------------------------

struct DMachine::State : DRun {
  using DRun::DRun;
  bool has_clause_locals = false;
};

DMachine::DMachine(const DProgram& program, const DLimits& limits) : state_(std::make_unique<State>(program, limits)) {
  for (const DVariable& variable : program.variables)
    if (variable.scope == DScope::Clause) state_->has_clause_locals = true;
}

DMachine::~DMachine() = default;

void DMachine::begin_firing() {
  State& run = *state_;
  run.scratch_used = run.program.clause_bytes;
  std::memset(run.scratch.get(), 0, run.scratch_used);
  run.windows.clear();
  run.absent.clear();
  run.left = false;
  run.token_text.reset();
  run.token_at = 0;
  if (!run.has_clause_locals) return;
  std::fill(run.clause_locals.numbers.begin(), run.clause_locals.numbers.end(), 0);
  std::fill(run.clause_locals.texts.begin(), run.clause_locals.texts.end(), std::string());
}

DOutcome DMachine::run(uint32_t index, ProbeContext& context) {
  State& run = *state_;
  CHECK_THAT(index < run.program.clauses.size());
  const DClause& clause = run.program.clauses[index];
  run.context = &context;
  run.record.clear();
  run.done = false;
  run.fault = DFault::None;
  run.next = run.program.code.data() + clause.begin;
  while (!run.done) {
    const DInstruction& instruction = *run.next++;
    kSteps[static_cast<size_t>(instruction.op)](run, instruction);
  }
  DOutcome outcome;
  if (run.fault == DFault::None) {
    outcome.record = run.record.bytes();
    return outcome;
  }
  auto at = static_cast<uint32_t>(run.next - 1 - run.program.code.data());
  return {.fault = run.fault,
          .address = run.fault_address,
          .statement = statement_at(clause, at),
          .code = at - clause.begin};
}

bool DMachine::has_left() const { return state_->left; }

std::optional<int32_t> DMachine::exit_status() const { return state_->exit_status; }

void DMachine::forget_thread(Tid tid) {
  State& run = *state_;
  if (run.threads.erase(raw(tid)) != 0) run.dynamic_room += run.thread_bytes;
  run.cached_thread.reset();
  run.cached_cells = nullptr;
}

DAggregations& DMachine::aggregations() { return state_->aggregations; }

uint64_t DMachine::take_dynamic_drops() { return std::exchange(state_->dynamic_drops, 0); }

uint64_t DMachine::take_failed_speculations() { return std::exchange(state_->failed_speculations, 0); }

void DMachine::free_speculation(uint32_t id) { state_->speculations.erase(id); }

}  // namespace strut
