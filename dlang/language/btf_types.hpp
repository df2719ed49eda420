// Structures of the kernel, from its BTF (Documentation/bpf/btf.rst): programs name them without a declaration.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dlang/language/type.hpp"

namespace strut {

/// Reads a BTF file when the first structure is asked for. A file that is damaged, or of another version, has none.
class BtfTypes final : public DTypeSource {
 public:
  explicit BtfTypes(std::function<std::vector<std::byte>()> read) : read_(std::move(read)) {}

  void complete(DTypes& types, DType* structure) override;

 private:
  struct Record;
  void load();
  void index();
  uint32_t word(size_t at) const;
  Record record(uint32_t id) const;
  std::string name(uint32_t offset) const;
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
  std::vector<uint32_t> places_;                ///< where the record of each id begins; [0] is void
  std::map<std::string, uint32_t> structures_;  ///< by "struct x"
};

}  // namespace strut
