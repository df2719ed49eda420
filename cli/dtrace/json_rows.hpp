// Rows and aggregations of D programs as JSON lines (docs/json.md, "D programs").
#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "dlang/compiler/program.hpp"
#include "dlang/output/values.hpp"
#include "dtrace/session/session.hpp"
#include "formatters/json/writer.hpp"

namespace strut {

class JsonRows final : public DValues {
 public:
  /// `program` outlives it.
  explicit JsonRows(const DProgram& program);

  /// The text of a row comes between these two, behind what `out` has already; end() makes a line of it.
  void begin(std::string& out, const DRowHead& head);
  void end(std::string& out, const DSettings& settings);
  /// The aggregations that came outside rows, a line each: at the end of a run.
  void put_aggregations(std::string& out);
  /// Some of `out` is written before the row ends. Returns the part that is complete, and keeps the row's.
  std::string_view take_partial(std::string_view out);

  void take(const DItem& item, DSymbolizer& symbolizer) override;
  void take(const DAggregations& from, uint32_t aggregation, const DSortOrder& order, DSymbolizer& symbolizer) override;

 private:
  void put_line(std::string& out, const std::string& text);
  void put_element(const DAggregation& aggregation, const DRow& row, int64_t normal, DSymbolizer& symbolizer);

  const DProgram& program_;
  uint64_t realtime_offset_ns_;
  struct Open {
    DRowHead head;
    std::string provider, module, function, name;
    size_t at;         ///< where in the output its text begins
    std::string text;  ///< the part that take_partial() has kept
  };
  std::optional<Open> open_;
  TextBuffer values_, aggregations_;  ///< items of JSON arrays for the row, with commas
  TextBuffer lines_;                  ///< aggregations outside rows
  TextBuffer line_;                   ///< the row's
};

}  // namespace strut
