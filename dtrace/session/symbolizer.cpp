#include "dtrace/session/symbolizer.hpp"

#include <algorithm>
#include <charconv>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"

namespace strut {
namespace {

/// A process's mappings are read again for an address that none of them has, but not more often than this.
constexpr uint64_t kRefreshEvery_ns = 10'000'000;
/// The limit of data about exited processes, and about programs that a process has left: some 2 KB each. Addresses of
/// older ones are printed as numbers.
constexpr size_t kMaxEnded = 50'000, kMaxGenerations = 1'000;

std::string hexadecimal(uint64_t number) {
  char text[19] = "0x";
  auto [end, error] = std::to_chars(text + 2, text + sizeof text, number, 16);
  return {text, end};
}

/// "module`function+0x10", as much of it as is asked for.
std::string shown(std::string_view module, std::string_view function, uint64_t offset, uint64_t address,
                  DShape::Kind kind) {
  if (kind == DShape::Kind::UserModule || kind == DShape::Kind::KernelModule)
    return std::string(module.empty() ? hexadecimal(address) : module);
  std::string text(module);
  if (!module.empty()) text += '`';
  if (function.empty()) return text + hexadecimal(address);
  text += function;
  bool with_offset = kind == DShape::Kind::UserAddress || kind == DShape::Kind::KernelAddress;
  return with_offset && offset != 0 ? text + '+' + hexadecimal(offset) : text;
}

}  // namespace

// -- the lives of processes ----------------------------------------------------------------------

ProcessSymbolizer::Generation& ProcessSymbolizer::begin(Pid pid, Generation generation) {
  Life& life = lives_[raw(pid)];
  life.push_back(std::move(generation));
  if (life.size() > kMaxGenerations) life.pop_front();
  return life.back();
}

void ProcessSymbolizer::look(Generation& generation) {
  [[maybe_unused]] Result<void> read = generation.modules.refresh();  // the modules of an exited process stay known
  generation.looked_ns = monotonic_ns();
}

void ProcessSymbolizer::remember(Pid pid) {
  auto life = lives_.find(raw(pid));
  Generation& last =
      life != lives_.end() ? life->second.back() : begin(pid, {0, false, 0, ProcessModules(pid, cache_)});
  if (last.is_reported) return;
  last.is_reported = is_reported_;
  look(last);
}

void ProcessSymbolizer::remember_all() {
  for (Pid pid : processes()) meet(pid);
}

void ProcessSymbolizer::executed(Pid pid, uint64_t at_ns) {
  begin(pid, {at_ns, is_reported_, 0, ProcessModules(pid, cache_)});
}

void ProcessSymbolizer::forked(Pid parent, Pid child, uint64_t at_ns) {
  auto known = lives_.find(raw(parent));
  if (known == lives_.end()) return;
  const Generation& before = known->second.back();
  begin(child, {at_ns, before.is_reported, 0, ProcessModules(child, before.modules)});
}

void ProcessSymbolizer::mapped(Pid pid, const Mapping& mapping) {
  auto life = lives_.find(raw(pid));
  if (life != lives_.end() && life->second.back().is_reported) life->second.back().modules.mapped(mapping);
}

void ProcessSymbolizer::ended(Pid pid) {
  if (!lives_.contains(raw(pid))) return;
  ended_.push_back(raw(pid));
  if (ended_.size() <= kMaxEnded) return;
  lives_.erase(ended_.front());
  ended_.pop_front();
}

void ProcessSymbolizer::missed_something() {
  for (auto& [pid, life] : lives_) life.back().is_reported = false;
}

// -- names ---------------------------------------------------------------------------------------

/// An aggregation's key has no time: it is that of the last program that has code there.
ProcessSymbolizer::Generation& ProcessSymbolizer::at_time(Life& life, uint64_t address) {
  auto has_it = [&](const Generation& one) {
    Location location = one.modules.locate(Addr{address});
    return location.module || !location.name.empty();
  };
  auto was_there = [&](const Generation& one) { return time_ns_ == kAnyTime ? has_it(one) : one.from_ns <= time_ns_; };
  auto last = std::find_if(life.rbegin(), life.rend(), was_there);
  return last == life.rend() ? life.back() : *last;
}

std::string ProcessSymbolizer::user_name(const Place& place, DShape::Kind kind) {
  Pid pid{static_cast<int32_t>(place.process)};
  Addr at{place.address - place.back};
  meet(pid);
  Generation& generation = at_time(lives_.at(raw(pid)), raw(at));
  Location location = generation.modules.locate(at);
  bool is_unknown = !location.module && location.name.empty();
  if (is_unknown && !generation.is_reported && monotonic_ns() - generation.looked_ns > kRefreshEvery_ns) {
    look(generation);
    location = generation.modules.locate(at);
  }
  std::string_view module = location.module ? location.module->name() : std::string_view();
  std::string function(location.name);
  if (location.is_stub) function += "@plt";
  return shown(module, function, location.offset + place.back, place.address, kind);
}

std::string ProcessSymbolizer::kernel_name(const Place& place, DShape::Kind kind) {
  if (!kernel_) kernel_ = KernelSymbols::read();
  auto found = kernel_->at(place.address - place.back);
  return found ? shown(found->module, found->name, found->offset + place.back, place.address, kind)
               : shown({}, {}, 0, place.address, kind);
}

std::string ProcessSymbolizer::name_of(const Place& place, DShape::Kind kind) {
  return place.process == 0 ? kernel_name(place, kind) : user_name(place, kind);
}

}  // namespace strut
