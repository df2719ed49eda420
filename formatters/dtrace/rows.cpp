#include "formatters/dtrace/rows.hpp"

#include <algorithm>
#include <charconv>

namespace strut {
namespace {

constexpr size_t kCpuWidth = 3, kIdWidth = 6, kProbeWidth = 32, kFlowWidth = 41;
constexpr uint32_t kIndent = 2;

void left_into(std::string& out, std::string_view text, size_t width) {
  out += text;
  if (text.size() < width) out.append(width - text.size(), ' ');
}

void right_into(std::string& out, std::string_view text, size_t width) {
  if (text.size() < width) out.append(width - text.size(), ' ');
  out += text;
}

void number_into(std::string& out, uint32_t number, size_t width) {
  char digits[12];
  char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  right_into(out, {digits, static_cast<size_t>(end - digits)}, width);
}

}  // namespace

void DtraceRows::heading(std::string& out, Layout layout) {
  has_heading_ = true;
  if (layout == Layout::Flow) {
    right_into(out, "CPU", kCpuWidth);
    out += ' ';
    left_into(out, "FUNCTION", kFlowWidth);
  } else {
    if (!bare_) {
      right_into(out, "CPU", kCpuWidth);
      out += ' ';
      right_into(out, "ID", kIdWidth);
      out += ' ';
    }
    right_into(out, "FUNCTION:NAME", kProbeWidth);
  }
  out += '\n';
}

void DtraceRows::columns(std::string& out, const DtraceRow& row) {
  if (!bare_) {
    number_into(out, row.cpu, kCpuWidth);
    out += ' ';
    number_into(out, row.id, kIdWidth);
    out += ' ';
  }
  size_t length = row.function.size() + 1 + row.name.size();
  if (length < kProbeWidth) out.append(kProbeWidth - length, ' ');
  out += row.function;
  out += ':';
  out += row.name;
  out += ' ';
}

/// A return is shown where its entry was; any other probe inside its function.
void DtraceRows::flow(std::string& out, const DtraceRow& row) {
  number_into(out, row.cpu, kCpuWidth);
  out += ' ';
  size_t begin = out.size();
  bool is_call = row.provider == "syscall", is_entry = row.name == "entry", is_return = row.name == "return";
  uint32_t& depth = depths_[raw(row.tid)];
  if (is_return) depth -= std::min(depth, kIndent);
  out.append(depth + 1, ' ');
  if (is_entry) out += is_call ? "=> " : "-> ";
  else if (is_return) out += is_call ? "<= " : "<- ";
  else out += " | ";
  out += row.function;
  if (!is_entry && !is_return) {
    out += ':';
    out += row.name;
  }
  if (is_entry) depth += kIndent;
  if (depth == 0) depths_.erase(raw(row.tid));
  size_t length = out.size() - begin;
  if (length < kFlowWidth) out.append(kFlowWidth - length, ' ');
  out += ' ';
}

void DtraceRows::begin(std::string& out, const DtraceRow& row, Layout layout) {
  if (layout == Layout::Quiet) return;
  if (!has_heading_) heading(out, layout);
  if (layout == Layout::Flow) flow(out, row);
  else columns(out, row);
}

void DtraceRows::end(std::string& out, Layout layout) {
  if (layout != Layout::Quiet) out += '\n';
}

std::string dtrace_list_heading() {
  std::string line;
  right_into(line, "ID", 5);
  for (auto [text, width] : {std::pair<std::string_view, size_t>{"PROVIDER", 10}, {"MODULE", 17}, {"FUNCTION", 33}}) {
    line += ' ';
    right_into(line, text, width);
  }
  return line + " NAME\n";
}

std::string dtrace_list_line(uint32_t id, std::string_view provider, std::string_view module, std::string_view function,
                             std::string_view name) {
  std::string line;
  number_into(line, id, 5);
  for (auto [text, width] : {std::pair<std::string_view, size_t>{provider, 10}, {module, 17}, {function, 33}}) {
    line += ' ';
    right_into(line, text, width);
  }
  line += ' ';
  line += name;
  return line + '\n';
}

}  // namespace strut
