// Aggregations as printa() and the end of a run show them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/output/aggregations.hpp"
#include "dlang/output/format_text.hpp"
#include "dlang/output/histogram_text.hpp"

namespace strut {

class DAggregationText {
 public:
  /// All outlive this.
  DAggregationText(const DProgram& program, DFormatText& values, const DTextStyle& style)
      : program_(program), values_(values), style_(style) {}

  /// The default format: a line per key with the values of all these aggregations, which have keys of the same
  /// shapes.
  void plain(std::string& out, const DAggregations& from, std::span<const uint32_t> aggregations);
  /// A format per key: its conversions take the keys one after another, %@ the aggregations' values.
  void formatted(std::string& out, const DAggregations& from, std::span<const uint32_t> aggregations,
                 const DFormat& format);

 private:
  /// A key and the words of every aggregation; no words: it has no such element.
  struct Line {
    std::span<const std::byte> key;
    std::vector<std::span<const int64_t>> words;
    std::vector<int64_t> order;  ///< the sort keys of lines
  };
  std::vector<Line> lines(const DAggregations& from, std::span<const uint32_t> aggregations) const;
  void sort(std::vector<Line>& lines, std::span<const uint32_t> aggregations) const;
  void keys(std::string& out, const DAggregation& aggregation, std::span<const std::byte> key);
  void value(std::string& out, const DConversion* how, uint32_t aggregation, std::span<const int64_t> words,
             int64_t normal);
  std::string key_text(const DAggregation& aggregation, std::span<const std::byte> key);
  bool drawn(std::string& out, const DAggregations& from, uint32_t aggregation);
  DBars bars() const { return style_.zoomed ? DBars::OfLargest : DBars::OfSum; }
  const std::string& empty_distribution(uint32_t aggregation);

  const DProgram& program_;
  DFormatText& values_;
  const DTextStyle& style_;
  std::map<uint32_t, std::string> empty_;
};

}  // namespace strut
