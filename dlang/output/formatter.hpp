// Prints records, and performs the actions in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/output/aggregation_text.hpp"
#include "dlang/output/aggregations.hpp"
#include "dlang/output/format_text.hpp"
#include "dlang/output/text_style.hpp"
#include "dlang/output/values.hpp"

namespace strut {

/// Actions of records other than text. Called in the order of the records.
class DConsole {
 public:
  virtual ~DConsole() = default;
  /// Text that precedes an action; text that is not passed here is still in the caller's string.
  virtual void write(std::string_view text) = 0;
  /// exit(): the run is to end with this status.
  virtual void exit(int32_t status) = 0;
  /// system(): a line for the shell.
  virtual void system(const std::string& command) = 0;
  /// freopen(): output goes to this file from now on; empty: to where it went first.
  virtual void freopen(const std::string& path) = 0;
  virtual void ftruncate() = 0;
  /// setopt(): an option as -x takes it; empty: without a value.
  virtual void setopt(const std::string& name, const std::string& value) = 0;
};

/// Accepts records of any provenance: malformed records, and records with other items than their action's, are skipped.
class DFormatter {
 public:
  /// All outlive this. `program` passes verify(). `values`, if there are any, get what records hold besides the text.
  DFormatter(const DProgram& program, DAggregations& aggregations, DSymbolizer& symbolizer, DConsole& console,
             const DTextStyle& style, DValues* values = nullptr);

  /// Appends the text of one record. The line around it (columns, newline) is the caller's.
  void report(std::string& out, std::span<const std::byte> record);

  /// The end of a run: every aggregation with elements of which no printa() has shown any.
  void report_rest(std::string& out);

 private:
  void report(std::string& out, const DAction& action, std::span<const std::byte> items);
  void print(std::string& out, const DAction& action, std::span<const std::byte> items);
  void change_aggregation(const DAction& action, std::span<const std::byte> items);
  void act(std::string& out, const DAction& action, std::span<const std::byte> items);
  std::string formatted(const DAction& action, std::span<const std::byte> items);
  void unite(std::span<const uint32_t> aggregations);
  void pass_values(const DAction& action, std::span<const std::byte> items);
  void plain(std::string& out, std::span<const uint32_t> aggregations);

  const DProgram& program_;
  DAggregations& aggregations_;
  DSymbolizer& symbolizer_;
  DConsole& console_;
  const DTextStyle& style_;
  DValues* taken_by_;
  DFormatText values_;
  DAggregationText aggregation_text_;
  std::vector<bool> shown_;  ///< a flag per aggregation: printa() had elements of it
};

}  // namespace strut
