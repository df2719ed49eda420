#include "syscalls/types/ioctl/ioctl_console.hpp"

#include <linux/kd.h>

#include <cstdio>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- sounds: periods of a 1193182 Hz clock ------------------------------------------------------------
constexpr uint64_t kClock = 1193182;
std::string_view frequency(Decoder& decoder, uint64_t period, std::string_view rest) {
  if (period == 0 || period > kClock) return "off";
  char text[32];
  int length = std::snprintf(text, sizeof text, "%llu Hz", static_cast<unsigned long long>(kClock / period));
  return joined(decoder.arena(), {std::string_view(text, static_cast<size_t>(length)), rest});
}
Value sound(Decoder& decoder, uint64_t bits) {
  return remarked(decoder.arena(), bits, frequency(decoder, bits, "").data(),
                  static_cast<uint8_t>(pointer_bytes(decoder.abi())));
}
/// A period below, how long above.
Value tone(Decoder& decoder, uint64_t bits) {
  uint64_t period = bits & 0xffff, ticks = bits >> 16 & 0xffff;
  std::span<Value> parts = decoder.arena().array<Value>(2);
  size_t count = 0;
  if (ticks != 0)
    parts[count++] = {Shifted{decoder.arena().make(Decoder::number(ticks, Show::Unsigned)), 16, {}, {}}, {}};
  char text[24];
  int length = std::snprintf(text, sizeof text, ", %llu ms", static_cast<unsigned long long>(ticks));
  std::string_view lasting(text, static_cast<size_t>(length));
  std::string_view remark = ticks == 0 ? "off" : frequency(decoder, period, lasting);
  parts[count++] = remarked(decoder.arena(), period, remark.data(), 4);
  return {Union{parts.first(count), bits, 4, true}, {}};
}

// -- names ------------------------------------------------------------------------------------------------
constexpr Constant kLedNames[] = {{1, "LED_SCR"}, {2, "LED_NUM"}, {4, "LED_CAP"}};
constexpr ConstantSet kLeds = flag_set("LED_???", kLedNames);
constexpr Constant kLockNames[] = {{0x1, "LED_SCR"},     {0x2, "LED_NUM"},     {0x4, "LED_CAP"},
                                   {0x10, "LED_SCR<<4"}, {0x20, "LED_NUM<<4"}, {0x40, "LED_CAP<<4"}};
constexpr ConstantSet kLocks = flag_set("LED_???", kLockNames);
constexpr Type kLedByte = named(kLeds, Width::B1), kLockByte = named(kLocks, Width::B1);
constexpr Constant kKeyboardNames[] = {{1, "KB_84"}, {2, "KB_101"}, {3, "KB_OTHER"}};
constexpr ConstantSet kKeyboards = enumeration("KB_???", kKeyboardNames);
constexpr Type kKeyboard = named(kKeyboards, Width::B1);
constexpr Constant kDisplayNames[] = {{0, "KD_TEXT"}, {1, "KD_GRAPHICS"}, {2, "KD_TEXT0"}, {3, "KD_TEXT1"}};
constexpr ConstantSet kDisplays = enumeration("KD_???", kDisplayNames);
constexpr Constant kConsoleModeNames[] = {
    {0, "K_RAW"}, {1, "K_XLATE"}, {2, "K_MEDIUMRAW"}, {3, "K_UNICODE"}, {4, "K_OFF"}};
constexpr ConstantSet kConsoleModes = enumeration("K_???", kConsoleModeNames, NumberBase::Decimal);
constexpr Type kMode = signed_type(named(kConsoleModes));
constexpr Constant kMetaNames[] = {{3, "K_METABIT"}, {4, "K_ESCPREFIX"}};
constexpr ConstantSet kMetas = enumeration("K_???", kMetaNames);
constexpr Constant kConsoleOperationNames[] = {
    {0, "KD_FONT_OP_SET"}, {1, "KD_FONT_OP_GET"}, {2, "KD_FONT_OP_SET_DEFAULT"}, {3, "KD_FONT_OP_COPY"}};
constexpr ConstantSet kFontOperations = enumeration("KD_FONT_OP_???", kConsoleOperationNames);
constexpr Constant kFontFlagNames[] = {{1, "KD_FONT_FLAG_DONT_RECALC"}, {0x80000000, "KD_FONT_FLAG_OLD"}};
constexpr ConstantSet kFontFlags = flag_set("KD_FONT_FLAG_???", kFontFlagNames);
constexpr Constant kTableNames[] = {{0, "K_NORMTAB"}, {1, "K_SHIFTTAB"}, {2, "K_ALTTAB"}, {3, "K_ALTSHIFTTAB"}};
constexpr ConstantSet kTables = enumeration("K_???TAB", kTableNames);
constexpr Constant kShiftNames[] = {{0x1, "1<<KG_SHIFT"},  {0x2, "1<<KG_ALTGR"},   {0x4, "1<<KG_CTRL"},
                                    {0x8, "1<<KG_ALT"},    {0x10, "1<<KG_SHIFTL"}, {0x20, "1<<KG_SHIFTR"},
                                    {0x40, "1<<KG_CTRLL"}, {0x80, "1<<KG_CTRLR"}};
constexpr ConstantSet kShifts = flag_set("KG_???", kShiftNames);
constexpr Constant kTypeNames[] = {
    {0, "KT_LATIN"},  {1, "KT_FN"},     {2, "KT_SPEC"},  {3, "KT_PAD"},   {4, "KT_DEAD"}, {5, "KT_CONS"},
    {6, "KT_CUR"},    {7, "KT_SHIFT"},  {8, "KT_META"},  {9, "KT_ASCII"}, {10, "KT_LOCK"}, {11, "KT_LETTER"},
    {12, "KT_SLOCK"}, {13, "KT_DEAD2"}, {14, "KT_BRL"},  {15, "KT_CSI"},
};
constexpr ConstantSet kTypes = enumeration("KT_???", kTypeNames);

// -- keys -------------------------------------------------------------------------------------------------
/// A character in quotes, as C writes it.
std::string_view quoted(unsigned code, std::span<char> room) {
  constexpr char kEscapes[] = "tnvfr";
  int length;
  if (code >= '\t' && code <= '\r') length = std::snprintf(room.data(), room.size(), "'\\%c'", kEscapes[code - '\t']);
  else if (code == '\'' || code == '\\')
    length = std::snprintf(room.data(), room.size(), "'\\%c'", static_cast<char>(code));
  else if (code >= 0x20 && code < 0x7f)
    length = std::snprintf(room.data(), room.size(), "'%c'", static_cast<char>(code));
  else length = std::snprintf(room.data(), room.size(), "'\\x%02x'", code);
  return {room.data(), static_cast<size_t>(length)};
}

/// "K_F1", "K(KT_LATIN, 'a')", "K(KT_PAD, 0x40)".
std::string_view key_name(Decoder& decoder, uint16_t key) {
  if (const char* name = kKeys.name_of(key)) return name;
  unsigned type = key >> 8, number = key & 0xff;
  const char* type_name = kTypes.name_of(type);
  bool is_character = type == 0 || type == 8 || type == 11;
  char first[16], second[16], whole[40];
  std::snprintf(first, sizeof first, "%#x", type);
  if (is_character) quoted(number, second);
  else std::snprintf(second, sizeof second, number ? "%#x" : "%x", number);
  int length = std::snprintf(whole, sizeof whole, "K(%s, %s)", type_name ? type_name : first, second);
  return joined(decoder.arena(), {std::string_view(whole, static_cast<size_t>(length))});
}
Value key_value(Decoder& decoder, uint16_t key) {
  return remarked(decoder.arena(), key, key_name(decoder, key).data(), 2, NumberBase::Hex);
}
/// struct kbentry: a key of a table, and its value, which may be beyond memory.
template <bool kSetting>
Value decode_entry(Decoder& decoder, uint64_t at, size_t) {
  uint8_t place[2];
  uint16_t key;
  if (at == 0) return Decoder::address(0);
  if (!decoder.read(Addr{at}, place)) return decoder.missing(Addr{at});
  FieldList fields;
  fields.add("kb_table", Decoder::named(place[0], place[0] < std::size(kTableNames) ? kTables : kShifts, 1));
  fields.add("kb_index", Decoder::number(place[1], Show::Unsigned, 1));
  if (!kSetting && !is_answered(decoder, Addr{at})) return fields.structure(decoder);
  bool known = decoder.read(Addr{at} + sizeof place, key);
  return fields.add("kb_value", known ? key_value(decoder, key) : Decoder::bare("???")).structure(decoder);
}
constexpr Type kEntryBytes = whole_bytes(4, fixed(4)), kEntryRead = pointer_to(kEntryBytes);
constexpr Type kConsoleEntry = reading(custom(decode_entry<true>), kEntryRead),
               kAskedEntry = reading(custom(decode_entry<false>), kEntryRead);

/// A function key by its number.
Value function_key(Decoder& decoder, uint64_t number) {
  constexpr uint16_t kFunction = 1 << 8;
  const char* name = kKeys.name_of(kFunction | number);
  Value plain = Decoder::number(number, Show::Hex, 1);
  if (!name) return plain;
  return {Alias{joined(decoder.arena(), {"KVAL(", name, ")"}), decoder.arena().make(plain)}, {}};
}
constexpr Type kFunctionKey = shown_by(function_key, Width::B1);
/// struct kbsentry: a function key's number and its string of at most 512 bytes.
constexpr FieldType kStringFields[] = {field("kb_func", kFunctionKey), field("kb_string", kString)};
constexpr FieldType kAskedStringFields[] = {field("kb_func", kFunctionKey), answer(field("kb_string", kString))};
constexpr StructLayout kStringLayout = {"kbsentry", kStringFields};
constexpr StructLayout kAskedStringLayout = {"kbsentry", kAskedStringFields};
constexpr Type kSetString = structure(kStringLayout), kAskedString = structure(kAskedStringLayout);

// -- accents ----------------------------------------------------------------------------------------------
constexpr Type kCharacter = number(Width::B1, Show::Char);
constexpr FieldType kAccentFields[] = {field("diacr", kCharacter), field("base", kCharacter),
                                       field("result", kCharacter)};
constexpr FieldType kWideAccentFields[] = {field("diacr", kHex32), field("base", kHex32), field("result", kHex32)};
constexpr StructLayout kAccentLayout = {"kbdiacr", kAccentFields}, kWideAccentLayout = {"kbdiacruc", kWideAccentFields};
constexpr Type kAccent = structure(kAccentLayout), kWideAccent = structure(kWideAccentLayout);

constexpr uint32_t kMaxAccents = 256;  // for the kernel's tables
constexpr Length kAccentCount = cut_at(kMaxAccents, by_field(0));
constexpr FieldType kAccentsFields[] = {field("kb_cnt", kUInt), field("kbdiacr", counted(kAccent, kAccentCount))};
constexpr FieldType kWideAccentsFields[] = {field("kb_cnt", kUInt),
                                            field("kbdiacruc", counted(kWideAccent, kAccentCount))};
constexpr StructLayout kAccents = {"kbdiacrs", kAccentsFields}, kWideAccents = {"kbdiacrsuc", kWideAccentsFields};

// -- fonts ------------------------------------------------------------------------------------------------
constexpr uint32_t kRows32 = 32;  // bytes of a character, whatever its height
Value font_bytes(Decoder& decoder, uint64_t at, uint64_t bytes) {
  return at == 0 ? Decoder::address(0) : decoder.buffer(Addr{at}, bytes, TextKind::Binary);
}
constexpr Type kFontRows = pointer_to(kBinary, times(kRows32, by_field(0)));
constexpr FieldType kFontFields[] = {field("charcount", kU16), field("charheight", kU16),
                                     field("chardata", kFontRows)};
constexpr FieldType kAskedFontFields[] = {field("charcount", kU16), field("charheight", kU16),
                                          field("chardata", kFontRows, unless<at_entry>),
                                          overlapping(field("chardata", kAddress, at_entry))};
constexpr StructLayout kFontLayout = {"consolefontdesc", kFontFields};
constexpr StructLayout kAskedFontLayout = {"consolefontdesc", kAskedFontFields};
constexpr Type kFont = structure(kFontLayout), kAskedFont = structure(kAskedFontLayout);

struct FontWords {
  uint32_t operation, flags, width, height, count;
};
enum FontOperation : uint32_t { kSetFont, kGetFont, kDefaultFont, kCopyFont };
uint64_t font_size(const FontWords& font) { return (uint64_t{font.width} + 7) / 8 * kRows32 * font.count; }
Value font_shape(Decoder& decoder, FieldList& fields, const FontWords& font, const Value& content) {
  fields.add("width", Decoder::number(font.width, Show::Unsigned, 4))
      .add("height", Decoder::number(font.height, Show::Unsigned, 4));
  if (font.operation != kDefaultFont) fields.add("charcount", Decoder::number(font.count, Show::Unsigned, 4));
  if (!content.absent()) fields.add("data", content);
  return fields.structure(decoder);
}
/// struct console_font_op. A default font is chosen by name; a copy needs the number of a console alone.
Value font_operation(Decoder& decoder, uint64_t at) {
  FontWords font;
  std::optional<uint64_t> content =
      decoder.read_number(Addr{at} + (decoder.abi() == Abi::X86_64 ? 24 : 20), Width::Long);
  if (!decoder.read(Addr{at}, font) || !content) return decoder.missing(Addr{at});
  bool setting = font.operation == kSetFont;
  FieldList fields;
  if (decoder.phase() == Phase::Exit) {
    if (font.operation == kDefaultFont) return font_shape(decoder, fields, font, {});
    bool got = font.operation == kGetFont;
    return font_shape(decoder, fields, font,
                      got ? font_bytes(decoder, *content, font_size(font)) : Decoder::address(*content));
  }
  fields.add("op", Decoder::named(font.operation, kFontOperations));
  if (font.operation == kCopyFont)
    return fields.add("height", Decoder::number(font.height, Show::Unsigned, 4)).structure(decoder);
  if (font.operation == kDefaultFont)
    return font_shape(decoder, fields, font,
                      *content ? decoder.c_string(Addr{*content}, TextKind::Text) : Decoder::address(0));
  fields.add("flags", Decoder::named(font.flags, kFontFlags));
  return font_shape(decoder, fields, font,
                    setting ? font_bytes(decoder, *content, font_size(font)) : Decoder::address(*content));
}
bool font_op_answers(Decoder& decoder, uint64_t at) {
  uint32_t operation = kSetFont;
  return decoder.read(Addr{at}, operation) && operation != kSetFont && operation != kCopyFont;
}
/// The passed values, and the results where the operation has some.
Value decode_font_change(Decoder& decoder, uint64_t at, size_t) {
  const Value* before = decoder.phase() == Phase::Exit ? decoder.at_enter(2) : nullptr;
  return before && !font_op_answers(decoder, at) ? *before : font_operation(decoder, at);
}
constexpr Type kFontChange = custom(decode_font_change);

// -- characters -------------------------------------------------------------------------------------------
constexpr FieldType kPairFields[] = {field("unicode", number(Width::B2, Show::Hex)), field("fontpos", kU16)};
constexpr StructLayout kPairLayout = {"unipair", kPairFields};
constexpr Type kPair = structure(kPairLayout);
constexpr Type kPairs = pointer_to(kPair, by_field(0));
constexpr FieldType kConsoleMapFields[] = {field("entry_ct", kU16), field("entries", kPairs)};
constexpr FieldType kAskedMapFields[] = {field("entry_ct", kU16), answer(field("entries", kPairs)),
                                         overlapping(field("entries", kAddress, unless<is_answered>))};
constexpr StructLayout kConsoleMapLayout = {"unimapdesc", kConsoleMapFields};
constexpr StructLayout kAskedMapLayout = {"unimapdesc", kAskedMapFields};
constexpr Type kConsoleMap = structure(kConsoleMapLayout), kAskedMap = structure(kAskedMapLayout);

constexpr FieldType kClearFields[] = {field("advised_hashsize", kU16), field("advised_hashstep", kU16),
                                      field("advised_hashlevel", kU16)};
constexpr StructLayout kClearLayout = {"unimapinit", kClearFields};
constexpr FieldType kScanFields[] = {field("scancode", kHex32), field("keycode", kHex32)};
constexpr StructLayout kScanLayout = {"kbkeycode", kScanFields};
constexpr FieldType kRepeatFields[] = {field("delay", kInt), field("period", kInt)};
constexpr StructLayout kRepeatLayout = {"kbd_repeat", kRepeatFields};

constexpr Type kScreen = bytes(fixed(256), TextKind::Binary), kOldFont = bytes(fixed(8192), TextKind::Binary);
constexpr Type kColours = bytes(fixed(48), TextKind::Binary);
/// Characters of the font itself have a range of their own.
Value unicode(Decoder& decoder, uint64_t code) {
  constexpr uint64_t kFirst = 0xf000, kLast = 0xf1ff;  // UNI_DIRECT_BASE, UNI_DIRECT_MASK
  Value plain = Decoder::number(code, Show::Hex, 2);
  if (code < kFirst || code > kLast) return plain;
  char text[32];
  int length = std::snprintf(text, sizeof text, "UNI_DIRECT_BASE+%#x", static_cast<unsigned>(code - kFirst));
  return {Alias{joined(decoder.arena(), {std::string_view(text, static_cast<size_t>(length))}),
                decoder.arena().make(plain)},
          {}};
}
constexpr Type kUnicode = shown_by(unicode, Width::B2);
constexpr Type kWideScreen = array_of(kUnicode, 256);
/// Signals are numbered from 1 to 64.
constexpr Type kAcceptSignal = kEither<number_is<0, 64>, kSignal, kULong>;
constexpr Type kSound = shown_by(sound), kTone = shown_by(tone);

constexpr CommandRow kConsoleRows[] = {
    ioctl_takes(0x4b2f, kSound),                                                                  // KIOCSOUND
    ioctl_takes(0x4b30, kTone),                                                                   // KDMKTONE
    ioctl_gets(0x4b31, kLedByte),                                                                 // KDGETLED
    ioctl_takes(0x4b32, kLedByte),                                                                // KDSETLED
    ioctl_gets(0x4b33, kKeyboard),                                                                // KDGKBTYPE
    ioctl_bare(0x4b36),                                                                           // KDENABIO
    ioctl_bare(0x4b37),                                                                           // KDDISABIO
    ioctl_takes(0x4b3a, kWord<kDisplays>),                                                        // KDSETMODE
    ioctl_gets(0x4b3b, kWord<kDisplays>),                                                         // KDGETMODE
    ioctl_bare(0x4b3c),                                                                           // KDMAPDISP
    ioctl_bare(0x4b3d),                                                                           // KDUNMAPDISP
    ioctl_gets(0x4b40, kScreen),                                                                  // GIO_SCRNMAP
    ioctl_sets(0x4b41, kScreen),                                                                  // PIO_SCRNMAP
    ioctl_gets(0x4b44, kMode),                                                                    // KDGKBMODE
    ioctl_takes(0x4b45, kMode),                                                                   // KDSKBMODE
    command(0x4b46, kUnsignedResult, even_on_failure(arg("argp", kAskedEntry, Direction::Out))),  // KDGKBENT
    ioctl_takes(0x4b47, kConsoleEntry),                                                                  // KDSKBENT
    ioctl_asks(0x4b48, kAskedString),                                                             // KDGKBSENT
    ioctl_sets(0x4b49, kSetString),                                                               // KDSKBSENT
    ioctl_gets(0x4b4a, kStructure<kAccents>), // KDGKBDIACR
    ioctl_sets(0x4b4b, kStructure<kAccents>), // KDSKBDIACR
    ioctl_changes(0x4b4c, kStructure<kScanLayout>),                                               // KDGETKEYCODE
    ioctl_sets(0x4b4d, kStructure<kScanLayout>),                                                  // KDSETKEYCODE
    ioctl_takes(0x4b4e, kAcceptSignal),                                                           // KDSIGACCEPT
    ioctl_exchanges(0x4b52, kStructure<kRepeatLayout>),                                           // KDKBDREP
    ioctl_gets(0x4b60, kOldFont),                                                                 // GIO_FONT
    ioctl_sets(0x4b61, kOldFont),                                                                 // PIO_FONT
    ioctl_gets(0x4b62, kWord<kMetas>),                                                            // KDGKBMETA
    ioctl_takes(0x4b63, kWord<kMetas>),                                                           // KDSKBMETA
    ioctl_gets(0x4b64, kLockByte),                                                                // KDGKBLED
    ioctl_takes(0x4b65, kLockByte),                                                               // KDSKBLED
    ioctl_asks(0x4b66, kAskedMap),                                                                // GIO_UNIMAP
    ioctl_sets(0x4b67, kConsoleMap),                                                                     // PIO_UNIMAP
    ioctl_sets(0x4b68, kStructure<kClearLayout>),                                                 // PIO_UNIMAPCLR
    ioctl_gets(0x4b69, kWideScreen),                                                              // GIO_UNISCRNMAP
    ioctl_sets(0x4b6a, kWideScreen),                                                              // PIO_UNISCRNMAP
    ioctl_exchanges(0x4b6b, kAskedFont),                                                          // GIO_FONTX
    ioctl_sets(0x4b6c, kFont),                                                                    // PIO_FONTX
    ioctl_bare(0x4b6d),                                                                           // PIO_FONTRESET
    ioctl_gets(0x4b70, kColours),                                                                 // GIO_CMAP
    ioctl_sets(0x4b71, kColours),                                                                 // PIO_CMAP
    ioctl_changes(0x4b72, kFontChange),                                                           // KDFONTOP
    ioctl_gets(0x4bfa, kStructure<kWideAccents>), // KDGKBDIACRUC
    ioctl_sets(0x4bfb, kStructure<kWideAccents>), // KDSKBDIACRUC
};

}  // namespace

constinit const IoctlRows kConsoleIoctls = {kConsoleRows};

}  // namespace strut
