#include "dlang/output/aggregation_text.hpp"

#include <algorithm>
#include <map>

#include "dlang/output/histogram_text.hpp"

namespace strut {

/// A key that is absent in an aggregation counts as 0 there, for the order and for the text.
std::vector<DAggregationText::Line> DAggregationText::lines(const DAggregations& from,
                                                            std::span<const uint32_t> aggregations) const {
  std::vector<Line> lines;
  std::map<std::string_view, size_t> known;
  for (size_t i = 0; i < aggregations.size(); i++)
    for (const DRow& row : from.rows(aggregations[i], style_.order)) {
      std::string_view key(reinterpret_cast<const char*>(row.key.data()), row.key.size());
      auto [at, fresh] = known.try_emplace(key, lines.size());
      if (fresh) lines.push_back({row.key, std::vector<std::span<const int64_t>>(aggregations.size()), {}});
      lines[at->second].words[i] = row.words;
    }
  if (aggregations.size() > 1) sort(lines, aggregations);
  return lines;
}

/// By the values of the aggregation of -x aggsortpos, then of those behind it and before it, then by keys.
void DAggregationText::sort(std::vector<Line>& lines, std::span<const uint32_t> aggregations) const {
  size_t leader = style_.sort_position < aggregations.size() ? style_.sort_position : 0;
  for (Line& line : lines)
    for (size_t i = 0; i < aggregations.size(); i++) {
      size_t which = (leader + i) % aggregations.size();
      std::span<const int64_t> words = line.words[which];
      line.order.push_back(words.empty() ? 0 : number_of(program_.aggregations[aggregations[which]].aggregate, words));
    }
  const std::vector<DShape>& shapes = program_.aggregations[aggregations[0]].keys;
  std::ranges::sort(lines, [&](const Line& a, const Line& b) {
    int keys = compare_keys(shapes, a.key, b.key, style_.order.key_position);
    int values = a.order < b.order ? -1 : b.order < a.order ? 1 : 0;
    int first = style_.order.by_key ? keys : values, second = style_.order.by_key ? values : keys;
    int decided = first != 0 ? first : second;
    return style_.order.reverse ? decided > 0 : decided < 0;
  });
}

void DAggregationText::keys(std::string& out, const DAggregation& aggregation, std::span<const std::byte> key) {
  DItemReader reader(key);
  for (const DShape& shape : aggregation.keys)
    if (auto item = reader.next(shape)) values_.key(out, *item, DFormatText::Columns::Key);
}

/// A distribution that has taken no value. It is made once: it may have 65,000 words to look through, and a line for
/// each key.
const std::string& DAggregationText::empty_distribution(uint32_t aggregation) {
  auto [at, fresh] = empty_.try_emplace(aggregation);
  if (fresh) {
    const DAggregate& function = program_.aggregations[aggregation].aggregate;
    histogram_into(at->second, function, std::vector<int64_t>(words_of(function)), 1);  // no bar at all
  }
  return at->second;
}

/// `how` is nullptr in the default format.
void DAggregationText::value(std::string& out, const DConversion* how, uint32_t aggregation,
                             std::span<const int64_t> words, int64_t normal) {
  const DAggregate& function = program_.aggregations[aggregation].aggregate;
  static constexpr int64_t kNothing[4] = {};  // no other function has more words
  if (words.empty() && function.is_distribution()) {
    out += empty_distribution(aggregation);
    return;
  }
  if (words.empty()) words = std::span(kNothing).first(words_of(function));
  if (function.is_distribution()) return histogram_into(out, function, words, normal, bars());
  int64_t number = number_of(function, words, normal);
  if (how != nullptr)
    return values_.conversion(out, *how,
                              {.shape = {DShape::Kind::Integer, 8, true}, .integer = static_cast<uint64_t>(number)});
  out += ' ';
  decimal_into(out, number, 16);
}

/// The keys of a line as one text, without columns.
std::string DAggregationText::key_text(const DAggregation& aggregation, std::span<const std::byte> key) {
  std::string text;
  DItemReader reader(key);
  for (const DShape& shape : aggregation.keys)
    if (auto item = reader.next(shape)) {
      if (!text.empty()) text += ' ';
      values_.key(text, *item, DFormatText::Columns::None);
    }
  return text;
}

/// -x agghist and aggpack, for one aggregation with keys that are no stacks. False: it has none of these looks.
bool DAggregationText::drawn(std::string& out, const DAggregations& from, uint32_t aggregation) {
  const DAggregation& what = program_.aggregations[aggregation];
  bool is_distribution = what.aggregate.is_distribution();
  bool has_stacks = std::ranges::any_of(what.keys, [](const DShape& shape) { return shape.is_stack(); });
  if (has_stacks || !(is_distribution ? style_.packed : style_.bars)) return false;
  int64_t normal = from.normal(aggregation);
  std::vector<DKeyedCount> counts;
  std::vector<DKeyedWords> distributions;
  for (const Line& line : lines(from, std::span(&aggregation, 1))) {
    std::string key = key_text(what, line.key);
    if (is_distribution) distributions.push_back({std::move(key), line.words[0]});
    else counts.push_back({std::move(key), number_of(what.aggregate, line.words[0], normal)});
  }
  if (is_distribution) packed_into(out, what.aggregate, distributions, normal, bars());
  else bars_into(out, counts, bars());
  return true;
}

void DAggregationText::plain(std::string& out, const DAggregations& from, std::span<const uint32_t> aggregations) {
  if (aggregations.size() == 1 && drawn(out, from, aggregations[0])) return;
  const DAggregation& first = program_.aggregations[aggregations[0]];
  for (const Line& line : lines(from, aggregations)) {
    keys(out, first, line.key);
    bool open = true;
    for (size_t i = 0; i < aggregations.size(); i++) {
      value(out, nullptr, aggregations[i], line.words[i], from.normal(aggregations[i]));
      open = !program_.aggregations[aggregations[i]].aggregate.is_distribution();
    }
    if (open) out += '\n';
  }
}

void DAggregationText::formatted(std::string& out, const DAggregations& from, std::span<const uint32_t> aggregations,
                                 const DFormat& format) {
  const DAggregation& first = program_.aggregations[aggregations[0]];
  for (const Line& line : lines(from, aggregations)) {
    DItemReader reader(line.key);
    size_t key = 0, which = 0;
    for (const DConversion& conversion : format.conversions) {
      out += conversion.before;
      if (conversion.letter == '\0') break;
      if (conversion.is_aggregation) {
        // More values than aggregations: the last one again.
        size_t i = std::min(which++, aggregations.size() - 1);
        value(out, &conversion, aggregations[i], line.words[i], from.normal(aggregations[i]));
      } else if (key < first.keys.size()) {
        if (auto item = reader.next(first.keys[key++])) values_.conversion(out, conversion, *item);
      }
    }
  }
}

}  // namespace strut
