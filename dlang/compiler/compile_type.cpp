// Types that a program prints, for when it runs.
#include "dlang/compiler/compiler.hpp"

namespace strut {
namespace {

DPrintedType::Kind kind_of(const DType& type) {
  switch (type.kind) {
    case DType::Kind::Float: return DPrintedType::Kind::Float;
    case DType::Kind::Pointer: return DPrintedType::Kind::Pointer;
    case DType::Kind::Array: return DPrintedType::Kind::Array;
    case DType::Kind::Struct: return DPrintedType::Kind::Structure;
    default: return DPrintedType::Kind::Integer;
  }
}

}  // namespace

/// Types of members come first.
uint32_t DCompiler::printed_type(const DType& type) {
  if (auto known = printed_known_.find(&type); known != printed_known_.end()) return known->second;
  DPrintedType made{.kind = kind_of(type), .name = type.name, .bytes = type.bytes};
  if (type.kind == DType::Kind::Array) made.element = printed_type(*type.target);
  for (const DMember& member : type.members)
    made.members.push_back({member.name, printed_type(*member.type), member.offset_bytes,
                            member.is_bit_field ? member.bits : uint8_t{0}, member.first_bit});
  for (const DEnumerator& enumerator : type.enumerators)
    made.enumerators.emplace_back(enumerator.name, enumerator.value);
  program_.printed_types.push_back(std::move(made));
  return printed_known_[&type] = static_cast<uint32_t>(program_.printed_types.size() - 1);
}

}  // namespace strut
