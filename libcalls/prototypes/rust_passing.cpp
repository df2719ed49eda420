#include "libcalls/prototypes/rust_passing.hpp"

#include <algorithm>
#include <vector>

namespace strut {

namespace {

using Kind = CType::Kind;
constexpr uint64_t kWord = 8;

bool is_object(const CType& type) {
  return type.kind == Kind::Struct || type.kind == Kind::Union || type.kind == Kind::Array;
}

/// PhantomData, (). The entry of an array has no size.
bool is_empty(const CType& type) { return type.bytes == 0 && type.kind != Kind::Array && type.kind != Kind::Unknown; }

struct Scalar {
  uint64_t at, bytes;
  bool is_floating;
};
using Scalars = std::vector<Scalar>;

/// Collects the scalars that an object consists of; false: not all of them are known (unions, variants).
bool collect(const Prototypes& prototypes, CTypeRef ref, uint64_t at, Scalars& found, int depth = 0) {
  constexpr int kMaxDepth = 16;
  const CType& type = prototypes.type(ref);
  if (depth == kMaxDepth || type.kind == Kind::Union || type.kind == Kind::Unknown) return false;
  if (type.kind == Kind::Array) {
    // Its elements have no registers of their own, however few they are.
    bool is_floating = prototypes.type(type.target).kind == Kind::Float;
    found.insert(found.end(), 3, {at, 0, is_floating});
    return !is_object(prototypes.type(type.target));
  }
  if (type.kind != Kind::Struct) return found.push_back({at, type.bytes, type.kind == Kind::Float}), true;
  if (type.fields.empty()) return type.bytes == 0;
  return std::ranges::all_of(type.fields, [&](const CField& field) {
    return is_empty(prototypes.type(field.type)) ||
           collect(prototypes, field.type, at + field.bit_offset / 8, found, depth + 1);
  });
}

/// Two scalars that share no word: the System V ABI has a register for each, too.
bool is_pair_of_words(const Scalars& scalars) {
  return scalars.size() == 2 && std::max(scalars[0].at, scalars[1].at) == kWord;
}

/// An Option with the layout of the scalar or of the pair of words in it, or with a word behind the variant's number.
bool is_plain_option(const Prototypes& prototypes, const CType& type) {
  if (!type.name.starts_with("Option<") || type.template_types.empty()) return false;
  Scalars held;
  uint64_t bytes = prototypes.type(type.template_types.front()).bytes;
  if (!collect(prototypes, type.template_types.front(), 0, held)) return false;
  if (std::ranges::any_of(held, &Scalar::is_floating)) return false;
  if (type.bytes == bytes) return held.size() == 1 || is_pair_of_words(held);
  return held.size() == 1 && bytes == kWord && type.bytes == 2 * kWord;
}

}  // namespace

RustPassing rust_passing(const Prototypes& prototypes, CTypeRef ref) {
  const CType& type = prototypes.type(ref);
  if (!type.is_rust || !is_object(type) || type.bytes == 0) return RustPassing::AsC;
  if (type.bytes > 2 * kWord) return RustPassing::Address;
  Scalars scalars;
  if (!collect(prototypes, ref, 0, scalars))
    return is_plain_option(prototypes, type) ? RustPassing::AsC : RustPassing::Unknown;
  if (scalars.size() < 2 || is_pair_of_words(scalars)) return RustPassing::AsC;
  auto is_scalar = [&](const CField& field) {
    const CType& member = prototypes.type(field.type);
    return !is_object(member) && !is_empty(member);
  };
  bool is_flat = std::ranges::count_if(type.fields, is_scalar) == 2;
  if (scalars.size() == 2) return is_flat ? RustPassing::Pair : RustPassing::Unknown;
  if (type.bytes > kWord) return RustPassing::Address;
  return std::ranges::any_of(scalars, &Scalar::is_floating) ? RustPassing::Unknown : RustPassing::AsC;
}

}  // namespace strut
