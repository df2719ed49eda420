#include "dlang/output/aggregations.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace strut {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

template <typename T>
int sign_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_items(const DItem& a, const DItem& b) {
  switch (a.shape.kind) {
    case DShape::Kind::Integer:
      if (!a.shape.is_signed) return sign_of(a.integer, b.integer);
      return sign_of(static_cast<int64_t>(a.integer), static_cast<int64_t>(b.integer));
    case DShape::Kind::Bytes:
      if (auto left = number_in(a.text), right = number_in(b.text); left && right) return sign_of(*left, *right);
      return sign_of(a.text.compare(b.text), 0);
    case DShape::Kind::Text:
    case DShape::Kind::CallArgument: return sign_of(a.text.compare(b.text), 0);
    default: break;
  }
  if (int order = sign_of(a.process, b.process)) return order;
  if (!a.shape.is_stack()) return sign_of(a.integer, b.integer);
  for (size_t i = 0; i < std::min(a.frame_count(), b.frame_count()); i++)
    if (int order = sign_of(a.frame(i), b.frame(i))) return order;
  return sign_of(a.frame_count(), b.frame_count());
}

}  // namespace

int compare_keys(const std::vector<DShape>& shapes, std::span<const std::byte> a, std::span<const std::byte> b,
                 uint32_t first) {
  DItemReader left(a), right(b);
  int at_first = 0, overall = 0;
  for (size_t i = 0; i < shapes.size(); i++) {
    auto x = left.next(shapes[i]), y = right.next(shapes[i]);
    if (!x || !y) break;
    int order = compare_items(*x, *y);
    if (i == first) at_first = order;
    if (overall == 0) overall = order;
  }
  return at_first != 0 ? at_first : overall;
}

DAggregations::DAggregations(const DProgram& program, size_t most_bytes)
    : program_(program), stores_(program.aggregations.size()), room_bytes_(most_bytes) {}

std::vector<int64_t>* DAggregations::find_or_make(uint32_t aggregation, std::span<const std::byte> key) {
  Elements& elements = stores_[aggregation].elements;
  if (auto at = elements.find(as_text(key)); at != elements.end()) return &at->second;
  size_t words = words_of(program_.aggregations[aggregation].aggregate);
  size_t bytes = key.size() + words * sizeof(int64_t);
  if (bytes > room_bytes_) {
    drops_++;
    return nullptr;
  }
  room_bytes_ -= bytes;
  return &elements.emplace(as_text(key), std::vector<int64_t>(words)).first->second;
}

void DAggregations::take(uint32_t aggregation, std::span<const std::byte> key, int64_t value, int64_t weight) {
  if (auto* words = find_or_make(aggregation, key))
    strut::take(program_.aggregations[aggregation].aggregate, *words, value, weight);
}

void DAggregations::merge(uint32_t aggregation, std::span<const std::byte> key, std::span<const int64_t> words) {
  if (auto* to = find_or_make(aggregation, key)) strut::merge(program_.aggregations[aggregation].aggregate, *to, words);
}

void DAggregations::clear(uint32_t aggregation) {
  for (auto& [key, words] : stores_[aggregation].elements) std::fill(words.begin(), words.end(), 0);
  report_restart(aggregation);
}

void DAggregations::forget(uint32_t aggregation, const std::vector<DRow>& rows) {
  Elements& elements = stores_[aggregation].elements;
  for (const DRow& row : rows) {
    room_bytes_ += row.key.size() + row.words.size_bytes();
    elements.erase(elements.find(as_text(row.key)));
  }
}

void DAggregations::truncate(uint32_t aggregation) {
  forget(aggregation, rows(aggregation));
  report_restart(aggregation);
}

void DAggregations::truncate(uint32_t aggregation, int64_t keep) {
  std::vector<DRow> sorted = rows(aggregation, {.reverse = keep > 0});
  uint64_t kept = keep < 0 ? -static_cast<uint64_t>(keep) : static_cast<uint64_t>(keep);
  if (kept >= sorted.size()) return;
  sorted.erase(sorted.begin(), sorted.begin() + static_cast<int64_t>(kept));
  forget(aggregation, sorted);
  report_restart(aggregation);
}

namespace {

/// Printed without an offset: several addresses have the same name.
bool is_name_alone(const DShape& shape) {
  using Kind = DShape::Kind;
  return shape.kind == Kind::UserSymbol || shape.kind == Kind::UserModule || shape.kind == Kind::KernelSymbol ||
         shape.kind == Kind::KernelModule;
}

/// Calls `with` for each such address of a key, and where in the key it is.
template <typename With>
void each_named(const std::vector<DShape>& shapes, std::span<const std::byte> key, With with) {
  DItemReader reader(key);
  for (const DShape& shape : shapes) {
    auto item = reader.next(shape);
    if (!item) return;
    if (is_name_alone(shape)) with(*item, key.size() - reader.rest_bytes() - sizeof item->integer);
  }
}

}  // namespace

void DAggregations::unite(uint32_t aggregation, const Naming& name) {
  const std::vector<DShape>& shapes = program_.aggregations[aggregation].keys;
  if (std::ranges::none_of(shapes, is_name_alone)) return;
  using Address = std::tuple<DShape::Kind, uint64_t, uint64_t>;
  std::map<Address, std::string> names;
  std::map<std::tuple<DShape::Kind, uint64_t, std::string>, uint64_t> lowest;
  for (const auto& [key, words] : stores_[aggregation].elements)
    each_named(shapes, as_bytes(key), [&](const DItem& item, size_t) {
      auto [known, is_new] = names.try_emplace({item.shape.kind, item.process, item.integer});
      if (!is_new) return;
      known->second = name(item);
      auto [low, is_first] = lowest.try_emplace({item.shape.kind, item.process, known->second}, item.integer);
      low->second = std::min(low->second, item.integer);
    });
  std::vector<std::pair<std::string, std::string>> moves;
  for (const auto& [key, words] : stores_[aggregation].elements) {
    std::string united = key;
    each_named(shapes, as_bytes(key), [&](const DItem& item, size_t at) {
      uint64_t address =
          lowest.at({item.shape.kind, item.process, names.at({item.shape.kind, item.process, item.integer})});
      std::memcpy(united.data() + at, &address, sizeof address);
    });
    if (united != key) moves.emplace_back(key, std::move(united));
  }
  for (const auto& [from, to] : moves) move_element(aggregation, from, to);
}

void DAggregations::move_element(uint32_t aggregation, const std::string& from, const std::string& to) {
  auto taken = stores_[aggregation].elements.extract(from);
  room_bytes_ += from.size() + taken.mapped().size() * sizeof(int64_t);
  merge(aggregation, as_bytes(to), taken.mapped());
}

std::vector<DRow> DAggregations::rows(uint32_t aggregation, const DSortOrder& order) const {
  const DAggregation& kind = program_.aggregations[aggregation];
  struct Numbered {
    DRow row;
    int64_t number;
  };
  std::vector<Numbered> all;
  for (const auto& [key, words] : stores_[aggregation].elements)
    all.push_back({{as_bytes(key), words}, number_of(kind.aggregate, words)});
  std::sort(all.begin(), all.end(), [&](const Numbered& a, const Numbered& b) {
    int keys = compare_keys(kind.keys, a.row.key, b.row.key, order.key_position);
    int values = sign_of(a.number, b.number);
    int first = order.by_key ? keys : values, second = order.by_key ? values : keys;
    int decided = first != 0 ? first : second;
    return order.reverse ? decided > 0 : decided < 0;
  });
  std::vector<DRow> rows;
  for (const Numbered& one : all) rows.push_back(one.row);
  return rows;
}

uint64_t DAggregations::take_drops() { return std::exchange(drops_, 0); }

}  // namespace strut
