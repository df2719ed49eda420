// The lines of `dtrace` around the output of programs: columns with CPU and probe, or indented by the flow of calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.hpp"

namespace strut {

struct DtraceRow {
  uint32_t cpu = 0;
  uint32_t id = 0;
  Tid tid{};
  std::string_view provider, function, name;
};

class DtraceRows {
 public:
  enum class Layout : uint8_t {
    Quiet,    ///< -q: nothing around the text
    Columns,  ///< CPU, ID, FUNCTION:NAME
    Flow,     ///< -F: "-> f", "<- f", indented by how deep the thread is
  };
  /// `bare`: the columns CPU and ID are left out, so that tests of scripts have the same text in every run
  /// (_DTRACE_TESTING).
  explicit DtraceRows(bool bare) : bare_(bare) {}

  /// Appends the text before a row's own: before the first one, the heading.
  void begin(std::string& out, const DtraceRow& row, Layout layout);
  /// Appends the text after it.
  void end(std::string& out, Layout layout);

 private:
  void heading(std::string& out, Layout layout);
  void columns(std::string& out, const DtraceRow& row);
  void flow(std::string& out, const DtraceRow& row);

  bool bare_;
  bool has_heading_ = false;
  std::unordered_map<int32_t, uint32_t> depths_;  ///< for threads that are in some function
};

/// A line of `dtrace -l`, or its heading.
std::string dtrace_list_heading();
std::string dtrace_list_line(uint32_t id, std::string_view provider, std::string_view module, std::string_view function,
                             std::string_view name);

}  // namespace strut
