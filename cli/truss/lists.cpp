#include "cli/truss/lists.hpp"

#include <algorithm>
#include <climits>

#include "base/close_names.hpp"
#include "base/plain_text.hpp"
#include "cli/common/numbers.hpp"

namespace strut {

namespace {

struct CallAlias {
  std::string_view name;
  std::string_view calls;
};
constexpr CallAlias kAliases[] = {
#define ALIAS(name, calls) {#name, calls},
#include "cli/truss/aliases.inc"
#undef ALIAS
};

void insert_named(SyscallSet& set, std::string_view name) {
  for (size_t i = 0; i < kAbiCount; i++)
    if (const SyscallSlot* slot = find_syscall(static_cast<Abi>(i), name)) set.insert(static_cast<Abi>(i), slot->nr);
}

using Names = std::vector<std::string_view>;

Names call_names() {
  Names names{"all"};
  for (size_t i = 0; i < kAbiCount; i++)
    for (const SyscallSlot& slot : syscalls_of(static_cast<Abi>(i))) names.push_back(slot.desc->name);
  for (const CallAlias& alias : kAliases) names.push_back(alias.name);
  return names;
}

/// The names that `name_of` numbers, spelled like `word`: with or without the prefix.
Names numbered_names(std::string_view word, std::string_view prefix, size_t numbers, const char* (*name_of)(int)) {
  bool bare = !same_ignoring_case(word.substr(0, prefix.size()), prefix);
  Names names{"all"};
  for (size_t i = 0; i < numbers; i++)
    if (const char* name = name_of(static_cast<int>(i))) names.push_back(bare ? name + prefix.size() : name);
  return names;
}

std::string upper(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// The name closest to an unknown word.
std::string nearest_call(std::string_view word) { return nearest_names(word, call_names()); }
std::string nearest_signal(std::string_view word) {
  return nearest_names(upper(word), numbered_names(word, "SIG", SignalNumbers{}.size(), signal_name));
}
std::string nearest_fault(std::string_view word) {
  return nearest_names(upper(word), numbered_names(word, "FLT", FaultNumbers{}.size(), fault_name));
}
std::string nearest_descriptor(std::string_view) { return {}; }

/// Walks a list: `put(word)` adds a word's names to a set, or removes them; false: the word is unknown.
enum class Way : uint8_t { In, Out };
template <typename Set, typename Put>
Result<void> walk(ListOption<Set>& option, std::string_view list, const std::string& what, Put put,
                  std::string (*nearest)(std::string_view)) {
  bool excludes = list.starts_with('!');
  if (!option.given && !excludes) option.set = {};
  option.given = true;
  Way way = Way::In;
  for (std::string_view word = next_piece(list, ", "); !word.empty(); word = next_piece(list, ", ")) {
    for (; word.starts_with('!'); word.remove_prefix(1)) way = Way::Out;
    if (!word.empty() && !put(option.set, word, way))
      return fail_because(what + " '" + std::string(word) + "'" + nearest(word));
  }
  return {};
}

std::string unknown(char letter, const char* what) { return std::string("-") + letter + ": unknown " + what; }

template <typename Bits>
void put_number(Bits& set, size_t number, Way way) {
  set.set(number, way == Way::In);
}

/// The members of `some` come into the set or go out of it.
void put_calls(SyscallSet& set, const SyscallSet& some, Way way) {
  if (way == Way::In) set |= some;
  else set &= ~some;
}

bool put_descriptor(FdChoice& set, std::string_view word, Way way) {
  if (word == "all") {
    set = {{}, way == Way::In};
    return true;
  }
  auto number = parse_decimal(word);
  if (!number) return false;
  int fd = static_cast<int>(*number);
  bool listed = (way == Way::In) != set.inverted;
  std::erase(set.fds, fd);
  if (listed) set.fds.push_back(fd);
  return true;
}

}  // namespace

SyscallSet calls_named(std::string_view word) {
  SyscallSet set;
  if (auto number = parse_decimal(word)) {
    set.insert(Abi::X86_64, *number);
    return set;
  }
  insert_named(set, word);
  for (const CallAlias& alias : kAliases) {
    if (alias.name != word) continue;
    std::string_view calls = alias.calls;
    for (auto name = next_piece(calls, " "); !name.empty(); name = next_piece(calls, " ")) insert_named(set, name);
  }
  return set;
}

Result<void> take_calls(ListOption<SyscallSet>& option, std::string_view list, char letter) {
  return walk(
      option, list, unknown(letter, "system call"),
      [](SyscallSet& set, std::string_view word, Way way) {
        SyscallSet named = word == "all" ? SyscallSet::all() : calls_named(word);
        put_calls(set, named, way);
        return !named.empty();
      },
      nearest_call);
}

Result<void> take_signals(ListOption<SignalNumbers>& option, std::string_view list, char letter) {
  return walk(
      option, list, unknown(letter, "signal"),
      [](SignalNumbers& set, std::string_view word, Way way) {
        if (word == "all") return set = way == Way::In ? ~SignalNumbers{} : SignalNumbers{}, true;
        bool renamed = same_ignoring_case(word, "SIGCLD") || same_ignoring_case(word, "CLD");
        auto number = renamed ? SIGCHLD : signal_number(word);
        if (!number || *number == 0 || static_cast<size_t>(*number) >= set.size()) return false;
        return put_number(set, static_cast<size_t>(*number), way), true;
      },
      nearest_signal);
}

Result<void> take_faults(ListOption<FaultNumbers>& option, std::string_view list, char letter) {
  return walk(
      option, list, unknown(letter, "machine fault"),
      [](FaultNumbers& set, std::string_view word, Way way) {
        if (word == "all") return set = way == Way::In ? ~FaultNumbers{} : FaultNumbers{}, true;
        auto number = fault_number(word);
        return number && (put_number(set, static_cast<size_t>(*number), way), true);
      },
      nearest_fault);
}

Result<void> take_descriptors(ListOption<FdChoice>& option, std::string_view list, char letter) {
  return walk(option, list, unknown(letter, "descriptor"), put_descriptor, nearest_descriptor);
}

}  // namespace strut
