#include "cli/dtrace/scripts.hpp"

#include <algorithm>
#include <iterator>

namespace strut {
namespace {

constexpr DtraceScript kScripts[] = {
#define SCRIPT(name, text) {name, text},
#include STRUT_SCRIPTS  // every file of examples/, made by the Makefile
#undef SCRIPT
};

/// The first line of the comment that a script begins with, without what closes it.
std::string_view summary_of(const DtraceScript& script) {
  constexpr std::string_view kBeginning = "/*\n * ";
  size_t at = std::min(script.text.find(kBeginning), script.text.size());
  std::string_view line = script.text.substr(std::min(at + kBeginning.size(), script.text.size()));
  line = line.substr(0, line.find('\n'));
  size_t end = line.find_last_not_of(":. ");
  return line.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

const DtraceScript* find_script(std::string_view name) {
  auto at = std::ranges::find(kScripts, name, &DtraceScript::name);
  return at == std::end(kScripts) ? nullptr : at;
}

std::string list_scripts() {
  constexpr size_t kWidth = 18;
  std::string out;
  for (const DtraceScript& script : kScripts) {
    out += script.name;
    out.append(script.name.size() < kWidth ? kWidth - script.name.size() : 1, ' ');
    out += summary_of(script);
    out += '\n';
  }
  return out;
}

}  // namespace strut
