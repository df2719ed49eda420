#include <cerrno>
#include <iterator>
#include <memory>

#include <regex.h>

#include "base/expression_size.hpp"
#include "base/plain_text.hpp"
#include "syscalls/class_names.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {
namespace {

constexpr Abi kAbis[] = {Abi::X86_64, Abi::I386, Abi::X32};

struct ClassName {
  std::string_view name;
  uint32_t bit;
  bool bare = false;  ///< also understood without '%'
};
constexpr ClassName kClassNames[] = {
    {"desc", kDesc, true},
    {"file", kFile, true},
    {"memory", kMemory, true},
    {"process", kProcess, true},
    {"signal", kSignals, true},
    {"ipc", kIpc, true},
    {"network", kNetwork, true},
    {"net", kNetwork},
    {"stat", kStat},
    {"lstat", kLstat},
    {"fstat", kFstat},
    {"%stat", kStatLike},
    {"statfs", kStatfs},
    {"fstatfs", kFstatfs},
    {"%statfs", kStatfsLike},
    {"pure", kPure},
    {"creds", kCreds},
    {"clock", kClock},
};

/// The class that an item names, 0 if it names none.
uint32_t class_of(std::string_view item) {
  bool bare = !item.starts_with('%');
  if (!bare) item.remove_prefix(1);
  for (const ClassName& name : kClassNames)
    if (item == name.name && (!bare || name.bare)) return name.bit;
  return 0;
}

/// One item of the list: its calls, and their ABIs.
struct Item {
  std::string_view text;   ///< as written, without `?`
  std::string_view value;  ///< without `@64`
  bool optional = false;
  bool of[kAbiCount] = {true, true, true};
};

Result<Item> split(std::string_view text) {
  Item item;
  for (; text.starts_with('?'); text.remove_prefix(1)) item.optional = true;
  item.text = item.value = text;
  size_t at = text.rfind('@');
  if (at == std::string_view::npos) return item;

  std::string_view abi = text.substr(at + 1);
  if (abi != "64" && abi != "32" && abi != "x32")
    return fail({.code = EINVAL,
                 .why = "incorrect personality designator '" + std::string(abi) + "' in qualification '" +
                        std::string(text) + "'"});
  item.value = text.substr(0, at);
  item.of[static_cast<size_t>(Abi::X86_64)] = abi == "64";
  item.of[static_cast<size_t>(Abi::I386)] = abi == "32";
  item.of[static_cast<size_t>(Abi::X32)] = abi == "x32";
  return item;
}

/// Inserts the calls for which `wanted(slot)` holds; true if there were any.
template <typename Wanted>
bool insert_where(SyscallSet& set, const Item& item, Wanted wanted) {
  bool any = false;
  for (Abi abi : kAbis) {
    if (!item.of[static_cast<size_t>(abi)]) continue;
    for (const SyscallSlot& slot : syscalls_of(abi)) {
      if (!wanted(abi, slot)) continue;
      set.insert(abi, slot.nr);
      any = true;
    }
  }
  return any;
}

Result<bool> insert_matching(SyscallSet& set, const Item& item) {
  std::string pattern(item.value.substr(1));
  if (expression_size(pattern, true) > kLargestExpression)
    return fail({.why = "regular expression " + pattern + ": its repetitions multiply to too much"});
  regex_t regex;
  if (int code = regcomp(&regex, pattern.c_str(), REG_EXTENDED | REG_NOSUB); code != 0) {
    char why[128];
    regerror(code, &regex, why, sizeof why);
    return fail({.why = "regcomp: " + pattern + ": " + why});
  }
  std::unique_ptr<regex_t, void (*)(regex_t*)> freed(&regex, regfree);
  return insert_where(
      set, item, [&](Abi, const SyscallSlot& slot) { return regexec(&regex, slot.desc->name, 0, nullptr, 0) == 0; });
}

bool insert_number(SyscallSet& set, const Item& item, uint32_t number) {
  return insert_where(set, item, [number](Abi abi, const SyscallSlot& slot) {
    if (slot.nr >= kFirstPart) return false;
    return slot.nr == number || (abi == Abi::X32 && (slot.nr | kX32Bit) == number);
  });
}

Result<bool> insert_item(SyscallSet& set, const Item& item) {
  if (item.value.starts_with('/')) return insert_matching(set, item);
  if (item.value == "all") return insert_where(set, item, [](Abi, const SyscallSlot&) { return true; });
  if (std::optional<uint32_t> number = parse_decimal(item.value)) return insert_number(set, item, *number);
  if (uint32_t bit = class_of(item.value))
    return insert_where(set, item, [bit](Abi, const SyscallSlot& slot) { return (slot.desc->classes & bit) != 0; });
  return insert_where(set, item, [&](Abi, const SyscallSlot& slot) { return item.value == slot.desc->name; });
}

std::unexpected<Error> invalid_set(std::string_view text) {
  return fail({.why = "invalid system call '" + std::string(text) + "'"});
}

}  // namespace

Result<SyscallSet> parse_syscall_set(std::string_view text) {
  std::string_view rest = text;
  bool inverted = false;
  for (; rest.starts_with('!'); rest.remove_prefix(1)) inverted = !inverted;

  SyscallSet set;
  if (rest == "all") {
    set = SyscallSet::all();
  } else if (rest != "none") {
    CommaList items(rest);
    size_t count = 0;
    while (std::optional<std::string_view> next = items.next()) {
      count++;
      Item item = TRY(split(*next));
      bool found = TRY(insert_item(set, item));
      if (!found && !item.optional) return invalid_set(item.text);
    }
    if (count == 0) return invalid_set(text);
  }
  return inverted ? ~set : set;
}

std::vector<std::string_view> syscall_class_names() {
  std::vector<std::string_view> names;
  for (const ClassName& name : kClassNames) names.push_back(name.name);
  return names;
}

}  // namespace strut
