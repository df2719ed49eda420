// The elements of all aggregations of a run, by their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dlang/compiler/program.hpp"
#include "dlang/machine/record.hpp"

namespace strut {

/// -x aggsortkey, aggsortrev, aggsortkeypos (dtrace(1M), "Options and Tunables"). By value, then by keys, ascending.
struct DSortOrder {
  bool by_key = false;
  bool reverse = false;
  uint32_t key_position = 0;  ///< which key comes first
};

/// One element. Views live until the aggregation is changed.
struct DRow {
  std::span<const std::byte> key;  ///< items as a record has them, of the shapes of DAggregation::keys
  std::span<const int64_t> words;
};

/// Owned by the interpreter's run, or filled from the kernel's maps by merge().
class DAggregations {
 public:
  /// `most_bytes`: -x aggsize; further elements are dropped and counted. The program outlives this.
  DAggregations(const DProgram& program, size_t most_bytes);

  void take(uint32_t aggregation, std::span<const std::byte> key, int64_t value, int64_t weight);
  /// Adds an element's words; `key` as above.
  void merge(uint32_t aggregation, std::span<const std::byte> key, std::span<const int64_t> words);

  /// All keys stay, their words become 0 (clear()).
  void clear(uint32_t aggregation);
  /// The largest `keep` elements stay, of a negative number the smallest (trunc()).
  void truncate(uint32_t aggregation, int64_t keep);
  void truncate(uint32_t aggregation);
  void normalize(uint32_t aggregation, int64_t by) { stores_[aggregation].normal = by == 0 ? 1 : by; }
  int64_t normal(uint32_t aggregation) const { return stores_[aggregation].normal; }

  /// Called when clear() or truncate() has changed an aggregation: a merging engine must then separate earlier values
  /// from later ones.
  void on_restart(std::function<void(uint32_t aggregation)> report) { restarted_ = std::move(report); }

  /// The name of an address of usym(), umod() and the like.
  using Naming = std::function<std::string(const DItem& item)>;
  /// Elements with keys that differ only in addresses of the same name become one: a symbol's address is any in it
  /// (Guide, "Aggregations"). It gets the lowest of them.
  void unite(uint32_t aggregation, const Naming& name);

  /// All elements, sorted.
  std::vector<DRow> rows(uint32_t aggregation, const DSortOrder& order = {}) const;
  bool empty(uint32_t aggregation) const { return stores_[aggregation].elements.empty(); }

  /// Takes that found no room since the last call.
  uint64_t take_drops();

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
  };
  using Elements = std::unordered_map<std::string, std::vector<int64_t>, Hash, std::equal_to<>>;
  struct Store {
    Elements elements;
    int64_t normal = 1;
  };
  std::vector<int64_t>* find_or_make(uint32_t aggregation, std::span<const std::byte> key);
  void forget(uint32_t aggregation, const std::vector<DRow>& rows);
  void move_element(uint32_t aggregation, const std::string& from, const std::string& to);
  void report_restart(uint32_t aggregation) const {
    if (restarted_) restarted_(aggregation);
  }

  const DProgram& program_;
  std::vector<Store> stores_;
  size_t room_bytes_;
  uint64_t drops_ = 0;
  std::function<void(uint32_t)> restarted_;
};

/// Less, equal, greater (-1, 0, 1): the order in which rows are printed.
int compare_keys(const std::vector<DShape>& shapes, std::span<const std::byte> a, std::span<const std::byte> b,
                 uint32_t first);

}  // namespace strut
