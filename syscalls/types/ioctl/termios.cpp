#include "syscalls/types/ioctl/termios.hpp"

#include <asm/termbits.h>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/hex.hpp"

namespace strut {
namespace {

using namespace strut::notation;

/// Flags of which nothing is shown where none is set.
constexpr ConstantSet silent_flags(std::span<const Constant> names) {
  return {Naming::Flags, nullptr, names, NumberBase::Hex, false, true};
}

constexpr Constant kInputNames[] = {
    {0x1, "IGNBRK"},   {0x2, "BRKINT"},  {0x4, "IGNPAR"},   {0x8, "PARMRK"},   {0x10, "INPCK"},
    {0x20, "ISTRIP"},  {0x40, "INLCR"},  {0x80, "IGNCR"},   {0x100, "ICRNL"},  {0x200, "IUCLC"},
    {0x400, "IXON"},   {0x800, "IXANY"}, {0x1000, "IXOFF"}, {0x2000, "IMAXBEL"}, {0x4000, "IUTF8"},
};
constexpr ConstantSet kInputFlags = silent_flags(kInputNames);

constexpr Constant kLocalNames[] = {
    {0x1, "ISIG"},     {0x2, "ICANON"},    {0x4, "XCASE"},     {0x8, "ECHO"},    {0x10, "ECHOE"},   {0x20, "ECHOK"},
    {0x40, "ECHONL"},  {0x80, "NOFLSH"},   {0x8000, "IEXTEN"}, {0x200, "ECHOCTL"}, {0x400, "ECHOPRT"},
    {0x800, "ECHOKE"}, {0x1000, "FLUSHO"}, {0x4000, "PENDIN"}, {0x100, "TOSTOP"}, {0x10000, "EXTPROC"},
};
constexpr ConstantSet kLocalFlags = silent_flags(kLocalNames);

// Delays of c_oflag: each a field of the word.
constexpr Constant kNewlineNames[] = {{0, "NL0"}, {0x100, "NL1"}};
constexpr Constant kReturnNames[] = {{0, "CR0"}, {0x200, "CR1"}, {0x400, "CR2"}, {0x600, "CR3"}};
constexpr Constant kTabNames[] = {{0, "TAB0"}, {0x800, "TAB1"}, {0x1000, "TAB2"}, {0x1800, "XTABS"}};
constexpr Constant kBackspaceNames[] = {{0, "BS0"}, {0x2000, "BS1"}};
constexpr Constant kVerticalNames[] = {{0, "VT0"}, {0x4000, "VT1"}};
constexpr Constant kFormFeedNames[] = {{0, "FF0"}, {0x8000, "FF1"}};
constexpr ConstantSet kNewline = enumeration(nullptr, kNewlineNames), kReturn = enumeration(nullptr, kReturnNames),
                      kTab = enumeration(nullptr, kTabNames), kBackspace = enumeration(nullptr, kBackspaceNames),
                      kVertical = enumeration(nullptr, kVerticalNames),
                      kFormFeed = enumeration(nullptr, kFormFeedNames);
constexpr Constant kOutputNames[] = {
    {0x1, "OPOST"}, {0x2, "OLCUC"},   {0x4, "ONLCR"},  {0x8, "OCRNL"},
    {0x10, "ONOCR"}, {0x20, "ONLRET"}, {0x40, "OFILL"}, {0x80, "OFDEL"},
};
constexpr ConstantSet kOutputFlags = silent_flags(kOutputNames);
template <const ConstantSet& kNames>
constexpr Type kPart = named(kNames);
constexpr WordPart kOutputParts[] = {
    part(0x100, kPart<kNewline>),     part(0x600, kPart<kReturn>),    part(0x1800, kPart<kTab>),
    part(0x2000, kPart<kBackspace>),  part(0x4000, kPart<kVertical>), part(0x8000, kPart<kFormFeed>),
    part(0xffff00ff, kPart<kOutputFlags>),
};
constexpr WordLayout kOutput = {.parts = kOutputParts};

constexpr uint64_t kSpeedMask = 0x100f, kSizeMask = 0x30;
constexpr uint8_t kInputShift = 16;
constexpr Constant kSpeedNames[] = {
    {0, "B0"},            {1, "B50"},            {2, "B75"},            {3, "B110"},          {4, "B134"},
    {5, "B150"},          {6, "B200"},           {7, "B300"},           {8, "B600"},          {9, "B1200"},
    {10, "B1800"},        {11, "B2400"},         {12, "B4800"},         {13, "B9600"},        {14, "B19200"},
    {15, "B38400"},       {0x1000, "BOTHER"},    {0x1001, "B57600"},    {0x1002, "B115200"},  {0x1003, "B230400"},
    {0x1004, "B460800"},  {0x1005, "B500000"},   {0x1006, "B576000"},   {0x1007, "B921600"},  {0x1008, "B1000000"},
    {0x1009, "B1152000"}, {0x100a, "B1500000"},  {0x100b, "B2000000"},  {0x100c, "B2500000"}, {0x100d, "B3000000"},
    {0x100e, "B3500000"}, {0x100f, "B4000000"},
};
constexpr ConstantSet kSpeeds = enumeration(nullptr, kSpeedNames);
constexpr Constant kSizeNames[] = {{0, "CS5"}, {0x10, "CS6"}, {0x20, "CS7"}, {0x30, "CS8"}};
constexpr ConstantSet kSizes = enumeration(nullptr, kSizeNames);
constexpr Constant kControlNames[] = {
    {0x40, "CSTOPB"}, {0x80, "CREAD"},   {0x100, "PARENB"},         {0x200, "PARODD"},
    {0x400, "HUPCL"}, {0x800, "CLOCAL"}, {0x40000000, "CMSPAR"}, {0x80000000, "CRTSCTS"},
};
constexpr ConstantSet kControlFlags = silent_flags(kControlNames);
constexpr WordPart input_speed() {
  WordPart speed = part(kSpeedMask << kInputShift, kPart<kSpeeds>);
  speed = with_shift(kInputShift, speed, "IBSHIFT", {}, NumberBase::Hex);
  speed.when = WordPart::When::IfNamed;
  return speed;
}
constexpr WordPart kControlParts[] = {
    part(kSpeedMask, kPart<kSpeeds>), input_speed(), part(kSizeMask, kPart<kSizes>),
    part(0xffffffff & ~(kSpeedMask | kSizeMask), kPart<kControlFlags>),
};
constexpr WordLayout kControl = {.parts = kControlParts};

// <linux/tty.h>
constexpr Constant kLineNames[] = {
    {0, "N_TTY"},         {1, "N_SLIP"},        {2, "N_MOUSE"},       {3, "N_PPP"},        {4, "N_STRIP"},
    {5, "N_AX25"},        {6, "N_X25"},         {7, "N_6PACK"},       {8, "N_MASC"},       {9, "N_R3964"},
    {10, "N_PROFIBUS_FDL"}, {11, "N_IRDA"},     {12, "N_SMSBLOCK"},   {13, "N_HDLC"},      {14, "N_SYNC_PPP"},
    {15, "N_HCI"},        {16, "N_GIGASET_M101"}, {17, "N_SLCAN"},    {18, "N_PPS"},       {19, "N_V253"},
    {20, "N_CAIF"},       {21, "N_GSM0710"},    {22, "N_TI_WL"},      {23, "N_TRACESINK"}, {24, "N_TRACEROUTER"},
    {25, "N_NCI"},        {26, "N_SPEAKUP"},    {27, "N_NULL"},
};
constexpr ConstantSet kLines = enumeration("N_???", kLineNames);

constexpr FieldType kCharacterFields[] = {
    field("VINTR", kHex8), field("VQUIT", kHex8),    field("VERASE", kHex8),   field("VKILL", kHex8),
    field("VEOF", kHex8),  field("VTIME", kHex8),    field("VMIN", kHex8),     field("VSWTC", kHex8),
    field("VSTART", kHex8), field("VSTOP", kHex8),   field("VSUSP", kHex8),    field("VEOL", kHex8),
    field("VREPRINT", kHex8), field("VDISCARD", kHex8), field("VWERASE", kHex8), field("VLNEXT", kHex8),
    field("VEOL2", kHex8), field("17", kHex8),       field("18", kHex8),
};
static_assert(std::size(kCharacterFields) == NCCS);
constexpr StructLayout kCharacters = {"cc_t", kCharacterFields};
constexpr StructLayout kOldCharacters = {"cc_t", std::span(kCharacterFields).first(8)};  // NCC

constexpr Type kTermiosLine = named(kLines, Width::B1);

#define TERMIOS_FIELDS(width, characters)                                                             \
  field("c_iflag", named(kInputFlags, width)),                                                        \
      field("c_oflag", word(kOutput, width)), field("c_cflag", word(kControl, width)),                \
      field("c_lflag", named(kLocalFlags, width)), detail("c_line", kTermiosLine),                           \
      detail("c_cc", indexed(characters))
constexpr FieldType kTermiosFields[] = {TERMIOS_FIELDS(Width::B4, kCharacters)};
constexpr FieldType kTermios2Fields[] = {
    TERMIOS_FIELDS(Width::B4, kCharacters), detail("c_ispeed", kUInt), detail("c_ospeed", kUInt)};
constexpr FieldType kTermioFields[] = {TERMIOS_FIELDS(Width::B2, kOldCharacters)};
constexpr StructLayout kTermiosLayout = {"termios", kTermiosFields}, kTermios2Layout = {"termios2", kTermios2Fields},
                       kTermioLayout = {"termio", kTermioFields};
static_assert(size_of(kTermiosLayout, Abi::X86_64) == sizeof(struct termios));
static_assert(size_of(kTermios2Layout, Abi::X86_64) == sizeof(struct termios2));
static_assert(size_of(kTermioLayout, Abi::X86_64) == 18);

}  // namespace

constinit const Type kTermios = structure(kTermiosLayout);
constinit const Type kTermios2 = structure(kTermios2Layout);
constinit const Type kTermio = structure(kTermioLayout);

}  // namespace strut
