#include "syscalls/types/process/keyctl.hpp"

#include <algorithm>
#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/reads.hpp"
#include "syscalls/types/io/iovec.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/keyctl.h>; permissions: keyctl(2), KEYCTL_SETPERM.
constexpr Constant kSerialNames[] = {
    {0xfffffff8, "KEY_SPEC_REQUESTOR_KEYRING"}, {0xfffffff9, "KEY_SPEC_REQKEY_AUTH_KEY"},
    {0xfffffffa, "KEY_SPEC_GROUP_KEYRING"},     {0xfffffffb, "KEY_SPEC_USER_SESSION_KEYRING"},
    {0xfffffffc, "KEY_SPEC_USER_KEYRING"},      {0xfffffffd, "KEY_SPEC_SESSION_KEYRING"},
    {0xfffffffe, "KEY_SPEC_PROCESS_KEYRING"},   {0xffffffff, "KEY_SPEC_THREAD_KEYRING"},
};
constexpr Constant kKeyctlOpNames[] = {
    {0, "KEYCTL_GET_KEYRING_ID"}, {1, "KEYCTL_JOIN_SESSION_KEYRING"}, {2, "KEYCTL_UPDATE"}, {3, "KEYCTL_REVOKE"},
    {4, "KEYCTL_CHOWN"}, {5, "KEYCTL_SETPERM"}, {6, "KEYCTL_DESCRIBE"}, {7, "KEYCTL_CLEAR"}, {8, "KEYCTL_LINK"},
    {9, "KEYCTL_UNLINK"}, {10, "KEYCTL_SEARCH"}, {11, "KEYCTL_READ"}, {12, "KEYCTL_INSTANTIATE"},
    {13, "KEYCTL_NEGATE"}, {14, "KEYCTL_SET_REQKEY_KEYRING"}, {15, "KEYCTL_SET_TIMEOUT"},
    {16, "KEYCTL_ASSUME_AUTHORITY"}, {17, "KEYCTL_GET_SECURITY"}, {18, "KEYCTL_SESSION_TO_PARENT"},
    {19, "KEYCTL_REJECT"}, {20, "KEYCTL_INSTANTIATE_IOV"}, {21, "KEYCTL_INVALIDATE"}, {22, "KEYCTL_GET_PERSISTENT"},
    {23, "KEYCTL_DH_COMPUTE"}, {24, "KEYCTL_PKEY_QUERY"}, {25, "KEYCTL_PKEY_ENCRYPT"}, {26, "KEYCTL_PKEY_DECRYPT"},
    {27, "KEYCTL_PKEY_SIGN"}, {28, "KEYCTL_PKEY_VERIFY"}, {29, "KEYCTL_RESTRICT_KEYRING"}, {30, "KEYCTL_MOVE"},
    {31, "KEYCTL_CAPABILITIES"}, {32, "KEYCTL_WATCH_KEY"},
};
constexpr Constant kPermissionNames[] = {
    {0x01000000, "KEY_POS_VIEW"}, {0x02000000, "KEY_POS_READ"}, {0x04000000, "KEY_POS_WRITE"},
    {0x08000000, "KEY_POS_SEARCH"}, {0x10000000, "KEY_POS_LINK"}, {0x20000000, "KEY_POS_SETATTR"},
    {0x00010000, "KEY_USR_VIEW"}, {0x00020000, "KEY_USR_READ"}, {0x00040000, "KEY_USR_WRITE"},
    {0x00080000, "KEY_USR_SEARCH"}, {0x00100000, "KEY_USR_LINK"}, {0x00200000, "KEY_USR_SETATTR"},
    {0x00000100, "KEY_GRP_VIEW"}, {0x00000200, "KEY_GRP_READ"}, {0x00000400, "KEY_GRP_WRITE"},
    {0x00000800, "KEY_GRP_SEARCH"}, {0x00001000, "KEY_GRP_LINK"}, {0x00002000, "KEY_GRP_SETATTR"},
    {0x00000001, "KEY_OTH_VIEW"}, {0x00000002, "KEY_OTH_READ"}, {0x00000004, "KEY_OTH_WRITE"},
    {0x00000008, "KEY_OTH_SEARCH"}, {0x00000010, "KEY_OTH_LINK"}, {0x00000020, "KEY_OTH_SETATTR"},
};
constexpr Constant kDefaultNames[] = {
    {0xffffffff, "KEY_REQKEY_DEFL_NO_CHANGE"}, {0, "KEY_REQKEY_DEFL_DEFAULT"}, {1, "KEY_REQKEY_DEFL_THREAD_KEYRING"},
    {2, "KEY_REQKEY_DEFL_PROCESS_KEYRING"}, {3, "KEY_REQKEY_DEFL_SESSION_KEYRING"},
    {4, "KEY_REQKEY_DEFL_USER_KEYRING"}, {5, "KEY_REQKEY_DEFL_USER_SESSION_KEYRING"},
    {6, "KEY_REQKEY_DEFL_GROUP_KEYRING"}, {7, "KEY_REQKEY_DEFL_REQUESTOR_KEYRING"},
};
constexpr Constant kMoveNames[] = {{1, "KEYCTL_MOVE_EXCL"}};
constexpr Constant kSupportNames[] = {
    {1, "KEYCTL_SUPPORTS_ENCRYPT"}, {2, "KEYCTL_SUPPORTS_DECRYPT"}, {4, "KEYCTL_SUPPORTS_SIGN"},
    {8, "KEYCTL_SUPPORTS_VERIFY"},
};
constexpr Constant kCaps0Names[] = {
    {0x01, "KEYCTL_CAPS0_CAPABILITIES"}, {0x02, "KEYCTL_CAPS0_PERSISTENT_KEYRINGS"},
    {0x04, "KEYCTL_CAPS0_DIFFIE_HELLMAN"}, {0x08, "KEYCTL_CAPS0_PUBLIC_KEY"}, {0x10, "KEYCTL_CAPS0_BIG_KEY"},
    {0x20, "KEYCTL_CAPS0_INVALIDATE"}, {0x40, "KEYCTL_CAPS0_RESTRICT_KEYRING"}, {0x80, "KEYCTL_CAPS0_MOVE"},
};
constexpr Constant kCaps1Names[] = {
    {1, "KEYCTL_CAPS1_NS_KEYRING_NAME"}, {2, "KEYCTL_CAPS1_NS_KEY_TAG"}, {4, "KEYCTL_CAPS1_NOTIFICATIONS"},
};
constinit const ConstantSet kPermissionsOfKeys = flag_set("KEY_???", kPermissionNames);
constinit const ConstantSet kDefaults = enumeration("KEY_REQKEY_DEFL_???", kDefaultNames, NumberBase::Decimal);
constinit const ConstantSet kMoveFlags = flag_set("KEYCTL_MOVE_???", kMoveNames);
constinit const ConstantSet kSupported = flag_set("KEYCTL_SUPPORTS_???", kSupportNames);
constinit const ConstantSet kCaps0 = flag_set("KEYCTL_CAPS0_???", kCaps0Names);
constinit const ConstantSet kCaps1 = flag_set("KEYCTL_CAPS1_???", kCaps1Names);

constexpr Type signed_enumeration(const ConstantSet& set) {
  Type type = named(set);
  type.is_signed = true;
  return type;
}

// -- structures -----------------------------------------------------------------------------------
constexpr FieldType kDhFields[] = {field("private", kKeySerial), field("prime", kKeySerial), field("base", kKeySerial)};
constexpr StructLayout kDhLayout = {"keyctl_dh_params", kDhFields};

/// True if any of `words` spare words behind `first` bytes of a structure is not zero.
bool spare_is_used(Decoder& decoder, Addr at, size_t first, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (decoder.read_number(at + first + 4 * i, Width::B4).value_or(0) != 0) return true;
  return false;
}

constexpr Type kSpareOfKdf = array_of(kHex32, 8), kSpareOfQuery = array_of(kHex32, 10),
               kSpareOfParams = array_of(kHex32, 7);
bool kdf_spare_is_used(Decoder& decoder, Addr at) {
  return spare_is_used(decoder, at, 2 * pointer_bytes(decoder.abi()) + 4, 8);
}
constexpr Type kHashName = pointer_to(kString), kOtherInfo = pointer_to(kBytes, by_field(3));
bool kdf_has_info(Decoder& decoder, Addr at) {
  return decoder.read_number(at + 2 * pointer_bytes(decoder.abi()), Width::B4).value_or(0) != 0;
}
bool kdf_has_no_info(Decoder& decoder, Addr at) { return !kdf_has_info(decoder, at); }
constexpr FieldType kKdfFields[] = {
    field("hashname", kHashName), field("otherinfo", kOtherInfo, kdf_has_info),
    overlapping(field("otherinfo", kAddress, kdf_has_no_info)), field("otherinfolen", kUInt),
    field("__spare", kSpareOfKdf, kdf_spare_is_used),
};
constexpr StructLayout kKdfLayout = {"keyctl_kdf_params", kKdfFields};

bool query_spare_is_used(Decoder& decoder, Addr at) { return spare_is_used(decoder, at, 16, 10); }
constexpr FieldType kQueryFields[] = {
    field("supported_ops", named(kSupported)), field("key_size", kUInt), field("max_data_size", kU16),
    field("max_sig_size", kU16), field("max_enc_size", kU16), field("max_dec_size", kU16),
    field("__spare", kSpareOfQuery, query_spare_is_used),
};
constexpr StructLayout kQueryLayout = {"keyctl_pkey_query", kQueryFields};

bool params_spare_is_used(Decoder& decoder, Addr at) { return spare_is_used(decoder, at, 12, 7); }
constexpr FieldType kParamsFields[] = {
    field("key_id", kKeySerial), field("in_len", kUInt), field("out_len", kUInt),
    field("__spare", kSpareOfParams, params_spare_is_used),
};
constexpr StructLayout kParamsLayout = {"keyctl_pkey_params", kParamsFields};
constexpr FieldType kVerifyFields[] = {
    field("key_id", kKeySerial), field("in_len", kUInt), field("in2_len", kUInt),
    field("__spare", kSpareOfParams, params_spare_is_used),
};
constexpr StructLayout kVerifyLayout = {"keyctl_pkey_params", kVerifyFields};

constexpr Type kDh = structure(kDhLayout), kKdf = structure(kKdfLayout), kQuery = structure(kQueryLayout);
constexpr Type kParams = structure(kParamsLayout), kVerifyParams = structure(kVerifyLayout);

// -- buffers ------------------------------------------------------------------------------------------
/// A public-key operation's data, the length of which stands at `kOffset` in its parameters (argument 1).
template <size_t kOffset>
Value decode_pkey_data(Decoder& decoder, uint64_t at, size_t) {
  std::array<std::byte, 40> params;  // struct keyctl_pkey_params
  uint32_t length = 0;
  if (at == 0 || !decoder.dereferences() || !decoder.read_bytes(Addr{decoder.arg(1)}, params))
    return Decoder::address(at);
  std::memcpy(&length, params.data() + kOffset, sizeof length);
  return decoder.buffer(Addr{at}, length);
}
constexpr size_t kInLength = 4, kOutLength = 8;

/// Bytes of capabilities, each with names of its own.
Value decode_capabilities(Decoder& decoder, uint64_t at, size_t) {
  constexpr const ConstantSet* kSets[] = {&kCaps0, &kCaps1};
  uint64_t stored = static_cast<uint64_t>(std::max<int64_t>(decoder.call().result, 0));
  size_t count = std::min<uint64_t>({stored, decoder.arg(2), 64});
  std::array<uint8_t, 64> bytes;
  if (at == 0 || (!decoder.dereferences() && count > 0)) return Decoder::address(at);
  if (!decoder.read_bytes(Addr{at}, std::as_writable_bytes(std::span(bytes).first(count))))
    return decoder.missing(Addr{at});
  std::span<Value> items = decoder.arena().array<Value>(count);
  for (size_t i = 0; i < count; i++)
    items[i] = i < std::size(kSets) ? Decoder::named(bytes[i], *kSets[i], 1) : Decoder::number(bytes[i], Show::Hex, 1);
  return {Array{items, ArrayStyle::List, false, {}}, {}};
}

/// Shown whatever -e verbose is.
Value decode_kdf(Decoder& decoder, uint64_t at, size_t) {
  return at == 0 ? Decoder::address(0) : decoder.object(kKdf, Addr{at});
}

// -- rows -----------------------------------------------------------------------------------------
constexpr Type kR = kUnsignedResult;
constexpr ArgType key(const char* name) { return arg(name, kKeySerial); }
/// The kernel may have had more to give than there was room for.
constexpr ArgType kGivenData = bytes_out("buffer", by_result_within(3));
constexpr ArgType kPkeyInfo = string("info"),
                  kPkeyIn = arg("in", reading(custom(decode_pkey_data<kInLength>), kReadsOne<kAsShown>));
constexpr ArgType kPkeyOut =
    arg("in2", reading(custom(decode_pkey_data<kOutLength>), kReadsOne<kAsShown>), Direction::Out);
constexpr Type kErrorNumber = named(kErrnoNames), kDefaultKeyring = signed_enumeration(kDefaults);

constexpr CommandRow kKeyctlRows[] = {
    command(0, kR, key("key"), integer("create")),
    command(1, kR, string("name")),
    command(2, kR, key("key"), bytes_in("payload", by_arg(3)), ulong("plen")),
    command(3, kR, key("key")),
    command(4, kR, key("key"), id("uid"), id("gid")),
    command(5, kR, key("key"), flags("perms", kPermissionsOfKeys)),
    command(6, kR, key("key"), kGivenData, ulong("buflen")),
    command(7, kR, key("key")),
    command(8, kR, key("key"), key("keyring")),
    command(9, kR, key("key"), key("keyring")),
    command(10, kR, key("keyring"), string("type"), string("description"), key("dest_keyring")),
    command(11, kR, key("key"), kGivenData, ulong("buflen")),
    command(12, kR, key("key"), bytes_in("payload", by_arg(3)), ulong("plen"), key("keyring")),
    command(13, kR, key("key"), uinteger("timeout"), key("keyring")),
    command(14, kR, arg("reqkey_defl", kDefaultKeyring)),
    command(15, kR, key("key"), uinteger("timeout")),
    command(16, kR, key("key")),
    command(17, kR, key("key"), kGivenData, ulong("buflen")),
    command(18, kR),
    command(19, kR, key("key"), uinteger("timeout"), arg("error", kErrorNumber), key("keyring")),
    command(20, kR, key("key"), array_in("payload", kIovecsWritten, by_arg(3)), ulong("plen"), key("keyring")),
    command(21, kR, key("key")),
    command(22, kR, id("uid"), key("keyring")),
    command(23, kR, in("dh_params", kDh), kGivenData, ulong("buflen"),
            arg("kdf_params", reading(custom(decode_kdf), kReadsOne<kKdf>))),
    command(24, kR, key("key"), hex("reserved"), string("params"), out("info", kQuery)),
    command(25, kR, in("params", kParams), kPkeyInfo, kPkeyIn, kPkeyOut),
    command(26, kR, in("params", kParams), kPkeyInfo, kPkeyIn, kPkeyOut),
    command(27, kR, in("params", kParams), kPkeyInfo, kPkeyIn, kPkeyOut),
    command(28, kR, in("params", kVerifyParams), kPkeyInfo, kPkeyIn,
            arg("in2", reading(custom(decode_pkey_data<kOutLength>), kReadsOne<kAsShown>))),
    command(29, kR, key("keyring"), string("type"), string("restriction")),
    command(30, kR, key("key"), key("from_keyring"), key("to_keyring"), flags("flags", kMoveFlags)),
    command(31, kR, arg("buffer", reading(custom(decode_capabilities), kReadsByResult<kWhole<64>>), Direction::Out),
            ulong("buflen")),
};

}  // namespace

constinit const ConstantSet kKeySerials = enumeration(nullptr, kSerialNames, NumberBase::Decimal);
constinit const ConstantSet kKeyctlOps = enumeration("KEYCTL_???", kKeyctlOpNames);
constinit const CommandTable kKeyctlCommands = {0, 1, kKeyctlRows};

}  // namespace strut
