// Types and tracepoints of the kernel, from its BTF (Documentation/bpf/btf.rst): programs name the types without a
// declaration.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/language/type.hpp"

namespace strut {

/// Reads a BTF file when the first structure is asked for. A file that is damaged, or of another version, has none.
class BtfTypes final : public DTypeSource {
 public:
  explicit BtfTypes(std::function<std::vector<std::byte>()> read) : read_(std::move(read)) {}

  void complete(DTypes& types, DType* structure) override;
  const DType* find(DTypes& types, std::string_view name) override;

  /// The names of the kernel's tracepoints, those of its types btf_trace_NAME.
  std::vector<std::string> tracepoints();
  /// The types of a tracepoint's arguments, as C spells them; nullopt: there is no such tracepoint.
  std::optional<std::vector<std::string>> arguments_of(std::string_view tracepoint);

 private:
  struct Record {
    size_t at = 0;
    std::string name;
    uint32_t kind = 0, count = 0;
    bool has_bit_fields = false;  ///< BTF_INFO_KFLAG
    uint32_t size_or_type = 0;

    bool is_union() const;  ///< a forward declaration of one, too
    std::string tagged() const { return (is_union() ? "union " : "struct ") + name; }
  };
  void load();
  void index();
  uint32_t word(size_t at) const;
  Record record(uint32_t id) const;
  std::string_view name(uint32_t offset) const;
  uint32_t find_record(uint32_t kind, std::string_view name) const;
  void find_tracepoints();
  uint32_t prototype_of(uint32_t id) const;
  std::string spelling(uint32_t id, int depth) const;
  const DType* enumeration(DTypes& types, const Record& record);
  const DType* alias(DTypes& types, const Record& of, int depth);
  void fill(DTypes& types, DType* structure, const Record& record);
  DMember member(DTypes& types, const Record& record, size_t at);
  const DType* type(DTypes& types, uint32_t id, int depth);
  const DType* structure(DTypes& types, const Record& record);
  const DType* pointed_to(DTypes& types, uint32_t id, int depth);

  std::function<std::vector<std::byte>()> read_;
  bool is_loaded_ = false;
  int level_ = 0;            ///< structures within each other that are being made
  uint32_t room_ = 1 << 20;  ///< members that may still be made: a damaged file may refer in circles
  std::vector<std::byte> bytes_;
  size_t names_at_ = 0;
  std::vector<uint32_t> places_;                              ///< where the record of each id begins; [0] is void
  std::map<std::string, uint32_t> structures_;                ///< by "struct x"
  std::map<std::string, uint32_t, std::less<>> tracepoints_;  ///< prototypes by name
};

}  // namespace strut
