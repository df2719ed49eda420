#include "syscalls/types/netlink/netlink_crypto.hpp"

#include <linux/cryptouser.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kAttributeList[] = {
    {0, "CRYPTOCFGA_UNSPEC"}, {1, "CRYPTOCFGA_PRIORITY_VAL"}, {2, "CRYPTOCFGA_REPORT_LARVAL"},
    {3, "CRYPTOCFGA_REPORT_HASH"}, {4, "CRYPTOCFGA_REPORT_BLKCIPHER"}, {5, "CRYPTOCFGA_REPORT_AEAD"},
    {6, "CRYPTOCFGA_REPORT_COMPRESS"}, {7, "CRYPTOCFGA_REPORT_RNG"}, {8, "CRYPTOCFGA_REPORT_CIPHER"},
    {9, "CRYPTOCFGA_REPORT_AKCIPHER"}, {10, "CRYPTOCFGA_REPORT_KPP"}, {11, "CRYPTOCFGA_REPORT_ACOMP"},
    {12, "CRYPTOCFGA_STAT_LARVAL"}, {13, "CRYPTOCFGA_STAT_HASH"}, {14, "CRYPTOCFGA_STAT_BLKCIPHER"},
    {15, "CRYPTOCFGA_STAT_AEAD"}, {16, "CRYPTOCFGA_STAT_COMPRESS"}, {17, "CRYPTOCFGA_STAT_RNG"},
    {18, "CRYPTOCFGA_STAT_CIPHER"}, {19, "CRYPTOCFGA_STAT_AKCIPHER"}, {20, "CRYPTOCFGA_STAT_KPP"},
    {21, "CRYPTOCFGA_STAT_ACOMP"},
};
constinit const ConstantSet kAttributeNames = enumeration("CRYPTOCFGA_???", kAttributeList);

constexpr Type kName = char_array(CRYPTO_MAX_NAME);
constexpr FieldType kAlgorithmFields[] = {
    field("cru_name", kName),   field("cru_driver_name", kName), field("cru_module_name", kName),
    field("cru_type", kHex32),  field("cru_mask", kHex32),       field("cru_refcnt", kUInt),
    field("cru_flags", kHex32),
};
constexpr FieldType kHashFields[] = {field("type", kName), field("blocksize", kUInt), field("digestsize", kUInt)};
constexpr FieldType kBlockCipherFields[] = {
    field("type", kName), field("geniv", kName), field("blocksize", kUInt), field("min_keysize", kUInt),
    field("max_keysize", kUInt), field("ivsize", kUInt),
};
constexpr FieldType kAeadFields[] = {
    field("type", kName), field("geniv", kName), field("blocksize", kUInt), field("maxauthsize", kUInt),
    field("ivsize", kUInt),
};
constexpr FieldType kRandomFields[] = {field("type", kName), field("seedsize", kUInt)};
constexpr FieldType kCipherFields[] = {
    field("type", kName), field("blocksize", kUInt), field("min_keysize", kUInt), field("max_keysize", kUInt),
};
constexpr StructLayout kAlgorithm = {"crypto_user_alg", kAlgorithmFields};
constexpr StructLayout kHash = {"crypto_report_hash", kHashFields};
constexpr StructLayout kBlockCipher = {"crypto_report_blkcipher", kBlockCipherFields};
constexpr StructLayout kAead = {"crypto_report_aead", kAeadFields};
constexpr StructLayout kRandom = {"crypto_report_rng", kRandomFields};
constexpr StructLayout kCipher = {"crypto_report_cipher", kCipherFields};
static_assert(size_of(kAlgorithm, Abi::X86_64) == sizeof(crypto_user_alg));
static_assert(size_of(kBlockCipher, Abi::X86_64) == sizeof(crypto_report_blkcipher));

/// Bytes too few for the structure are shown as text.
template <const StructLayout& kLayout>
Value report(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (data.size < size_of(kLayout, decoder.abi())) return decoder.buffer(data.at, data.size);
  return decoder.structure(kLayout, data.at);
}

/// A report of which only the type's name is shown, complete or not.
Value name_only(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  const FieldValue fields[] = {{"type", attribute_c_string(decoder, data, context)}};
  return decoder.fields(fields);
}

constexpr Attribute kCryptoList[] = {
    holds(1, attribute_u32), holds(2, name_only), holds(3, report<kHash>), holds(4, report<kBlockCipher>),
    holds(5, report<kAead>), holds(6, name_only), holds(7, report<kRandom>), holds(8, report<kCipher>),
    holds(9, name_only), holds(10, name_only), holds(11, name_only),
};
constinit const AttributeSet kAttributes = {&kAttributeNames, kCryptoList};

}  // namespace

void add_crypto_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                        size_t& held) {
  auto add = [&](const Value& value) { items[held++] = value; };
  size_t bytes = size_of(kAlgorithm, decoder.abi());
  if (type < CRYPTO_MSG_NEWALG || type > CRYPTO_MSG_GETALG) return add(payload.binary(decoder));
  if (payload.size < bytes) return add(decoder.buffer(payload.at, payload.size));
  add(decoder.structure(kAlgorithm, payload.at));
  NetlinkBytes rest = payload.from(netlink_aligned(bytes));
  if (rest.size > 0) add(decode_netlink_attributes(decoder, rest, kAttributes, {}));
}

}  // namespace strut
