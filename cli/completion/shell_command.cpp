#include "cli/completion/shell_command.hpp"

#include <algorithm>
#include <iterator>

#include "base/plain_text.hpp"
#include "cli/strace/options.hpp"
#include "syscalls/class_names.hpp"
#include "syscalls/syscall.hpp"

namespace strut {
namespace {

/// Names that mean the same option stand in one row.
ShellOption& row_of(std::vector<ShellOption>& rows, std::vector<int>& ids, int id, Takes takes) {
  for (size_t i = 0; i < rows.size(); i++)
    if (ids[i] == id && rows[i].takes == takes) return rows[i];
  ids.push_back(id);
  return rows.emplace_back(ShellOption{.names = {}, .takes = takes, .value = {}, .text = {}});
}

void explain(ShellOption& row, int id, std::span<const CommandOption> explained) {
  auto found =
      std::ranges::find_if(explained, [&](const CommandOption& option) { return option.names && option.id == id; });
  if (found == explained.end()) return;
  row.text = found->text;
  row.value = found->value;
}

}  // namespace

std::string with_blanks(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<ShellOption> shell_options(const CommandText& command) {
  std::vector<ShellOption> rows;
  for (const CommandOption& option : command.options) {
    if (!option.names) continue;
    ShellOption& row = rows.emplace_back(ShellOption{{}, option.takes, option.value, option.text});
    CommaList names(option.names);
    while (auto name = names.next()) row.names.emplace_back(*name);
  }
  rows.push_back({{"-h", "--help"}, Takes::Nothing, {}, "this text"});
  return rows;
}

std::vector<ShellOption> shell_options(const OptionTables& tables, std::span<const CommandOption> explained) {
  std::vector<ShellOption> rows;
  std::vector<int> ids;
  for (const ShortOption& option : tables.shorts) {
    if (!tables.takes(option.id)) continue;
    ShellOption& row = row_of(rows, ids, option.id, option.takes);
    row.names.push_back(std::string("-") + option.letter);
    row.value = option.value;
  }
  for (const LongOption& option : tables.longs)
    if (tables.takes(option.id))
      row_of(rows, ids, option.id, option.takes).names.push_back(std::string("--") + option.name);
  for (size_t i = 0; i < rows.size(); i++) explain(rows[i], ids[i], explained);
  return rows;
}

std::string call_words() {
  std::vector<std::string> words;
  for (std::string_view name : syscall_class_names()) words.push_back("%" + std::string(name));
  for (const SyscallSlot& slot : syscalls_of(Abi::X86_64))
    if (slot.nr < kFirstPart) words.emplace_back(slot.desc->name);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return with_blanks(words);
}

std::string expression_words() {
  std::vector<std::string> words = strace_qualifiers();
  for (std::string& word : words) word += '=';
  return with_blanks(words);
}

std::string words_of_value(std::string_view value) {
  if (value.find('|') == value.npos) return {};
  std::string words(value);
  std::ranges::replace(words, '|', ' ');
  return words;
}

}  // namespace strut
