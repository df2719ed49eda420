// Structures and unions: where their members are (x86-64 ABI, 3.1.2).
#include <algorithm>

#include "dlang/language/type.hpp"

namespace strut {
namespace {

uint64_t rounded_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

/// Places members one after another; counts bits.
class Layout {
 public:
  explicit Layout(bool is_union) : is_union_(is_union) {}

  void place(DMember& member) {
    if (is_union_) next_ = 0;
    if (member.is_bit_field) place_bits(member);
    else place_whole(member);
    if (!member.is_bit_field || !member.name.empty()) align_ = std::max(align_, member.type->align);
    end_ = std::max(end_, next_);
  }
  uint64_t bytes() const { return rounded_up(rounded_up(end_, 8) / 8, align_); }
  uint32_t align() const { return align_; }

 private:
  void place_whole(DMember& member) {
    next_ = rounded_up(next_, member.type->align * uint64_t{8});
    member.offset_bytes = static_cast<uint32_t>(std::min<uint64_t>(next_ / 8, UINT32_MAX));
    next_ += member.type->bytes * uint64_t{8};
  }
  /// A bit-field does not cross a boundary of its type; one of no bits goes on at the next boundary.
  void place_bits(DMember& member) {
    uint64_t unit = member.type->bytes * uint64_t{8};
    if (member.bits == 0 || next_ / unit != (next_ + member.bits - 1) / unit) next_ = rounded_up(next_, unit);
    member.offset_bytes = static_cast<uint32_t>(std::min<uint64_t>(next_ / unit * member.type->bytes, UINT32_MAX));
    member.first_bit = static_cast<uint8_t>(next_ % unit);
    next_ += member.bits;
  }

  bool is_union_;
  uint64_t next_ = 0, end_ = 0;
  uint32_t align_ = 1;
};

}  // namespace

void DTypes::complete(DType* type, std::vector<DMember> members) {
  Layout layout(type->is_union);
  for (DMember& member : members) layout.place(member);
  // Bit-fields without a name only take room.
  std::erase_if(members,
                [](const DMember& member) { return member.name.empty() && member.type->kind != DType::Kind::Struct; });
  type->members = std::move(members);
  type->align = layout.align();
  type->bytes = static_cast<uint32_t>(std::min<uint64_t>(layout.bytes(), INT32_MAX));
  type->is_complete = true;
}

std::optional<DMember> find_member(const DType& structure, std::string_view name) {
  for (const DMember& member : structure.members) {
    if (member.name == name) return member;
    if (!member.name.empty()) continue;
    auto inner = find_member(*member.type, name);
    if (!inner) continue;
    inner->offset_bytes += member.offset_bytes;
    return inner;
  }
  return std::nullopt;
}

}  // namespace strut
