// The tables by which a hit finds its clauses: probes, their names, sites, events. They grow while programs run.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "kassist/dtrace/library.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {

/// An array map with its elements as memory.
class MappedArray {
 public:
  static Result<MappedArray> create(const char* name, uint32_t element_bytes, uint32_t count, uint32_t flags);
  /// For an existing map.
  static Result<MappedArray> map(int descriptor, size_t bytes);
  MappedArray() = default;
  MappedArray(MappedArray&& other) noexcept;
  MappedArray& operator=(MappedArray&& other) noexcept;
  ~MappedArray();

  template <typename T>
  std::span<T> as() const {
    return {static_cast<T*>(at_), bytes_ / sizeof(T)};
  }
  int number() const { return fd_.number(); }

 private:
  OwnedFd fd_;
  void* at_ = nullptr;
  size_t bytes_ = 0;
};

class DTables {
 public:
  /// `names`: whether programs ask for probes' names. The library outlives this.
  static Result<DTables> create(const DLibrary& library, bool names);
  DTables(DTables&&) noexcept = default;
  /// The library has moved.
  void use(const DLibrary& library) { library_ = &library; }

  /// Adds a probe behind the others.
  Result<void> add_probe(const DProbe& probe);
  uint32_t probes() const { return probe_count_; }
  /// Cookies of sites, in their order. Firings have probes that are known.
  Result<std::vector<uint64_t>> add_sites(const DCode& code);
  /// Replaces all firings at these places of the event table. By place: firings in order.
  Result<void> set_events(const std::map<uint32_t, std::vector<d_firing>>& events);

 private:
  /// A first map of rows, and further ones that are made when they are needed.
  struct Rows {
    const char* map;      ///< the map of the further ones
    const char* meaning;  ///< for messages
    uint32_t in_first, in_each, most_chunks;
    MappedArray first{};
    std::vector<MappedArray> chunks{};
  };
  DTables() = default;
  Result<uint32_t> name(std::string_view text);
  /// The cookie of the first.
  Result<uint64_t> add_group(std::span<const d_firing> firings);
  Result<d_firing> row_of(const DFiring& firing, const DCode& code);
  Result<uint32_t> add_operands(const std::vector<SiteOperand>& operands);
  template <typename Row>
  Result<Row*> row_at(Rows& rows, uint32_t place);
  Result<char*> name_room(size_t bytes);
  Result<void> put(const char* outer, uint32_t index, const MappedArray& inner) const;

  const DLibrary* library_ = nullptr;
  bool wants_names_ = false;
  uint32_t probe_count_ = 0, groups_ = 1, next_epid_ = 1;
  Rows probes_{"probes", "probes", D_FIRST_PROBES, D_PROBES_EACH, D_PROBE_CHUNKS};
  Rows operands_{"operands", "arguments of probes", D_FIRST_OPERANDS, D_OPERANDS_EACH, D_OPERAND_CHUNKS};
  MappedArray first_names_, first_sites_;
  std::vector<MappedArray> name_chunks_;
  uint32_t operand_count_ = 0;
  std::map<std::vector<SiteOperand>, uint32_t> operand_places_;  ///< of the first
  size_t name_used_ = 0;                                         ///< for the last chunk
  size_t sites_used_ = 1;                                        ///< for the first; a cookie of 0 is none
  std::unordered_map<std::string, uint32_t> names_;
  MappedArray events_;
};

}  // namespace strut
