#include "syscalls/types/ioctl/ioctl_tty.hpp"

#include <asm/termbits.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/ioctl/termios.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kFlowNames[] = {{0, "TCOOFF"}, {1, "TCOON"}, {2, "TCIOFF"}, {3, "TCION"}};
constexpr ConstantSet kFlow = enumeration("TC???", kFlowNames);
constexpr Constant kFlushNames[] = {{0, "TCIFLUSH"}, {1, "TCOFLUSH"}, {2, "TCIOFLUSH"}};
constexpr ConstantSet kFlush = enumeration("TC???", kFlushNames);

constexpr Constant kModemNames[] = {
    {0x1, "TIOCM_LE"},   {0x2, "TIOCM_DTR"},  {0x4, "TIOCM_RTS"},     {0x8, "TIOCM_ST"},
    {0x10, "TIOCM_SR"},  {0x20, "TIOCM_CTS"}, {0x40, "TIOCM_CAR"},    {0x80, "TIOCM_RNG"},
    {0x100, "TIOCM_DSR"}, {0x2000, "TIOCM_OUT1"}, {0x4000, "TIOCM_OUT2"}, {0x8000, "TIOCM_LOOP"},
};
constexpr ConstantSet kModemLines = flag_set("TIOCM_???", kModemNames);
constexpr Type kModem = named(kModemLines);

constexpr FieldType kWindowFields[] = {
    field("ws_row", kU16), field("ws_col", kU16), field("ws_xpixel", kU16), field("ws_ypixel", kU16)};
constexpr StructLayout kWindowLayout = {"winsize", kWindowFields};
constexpr Type kWindow = structure(kWindowLayout);

constexpr Type kOneByte = bytes(fixed(1));

constexpr CommandRow kTtyRows[] = {
    ioctl_gets(0x5401, kTermios),  // TCGETS
    ioctl_sets(0x5402, kTermios),  // TCSETS
    ioctl_sets(0x5403, kTermios),  // TCSETSW
    ioctl_sets(0x5404, kTermios),  // TCSETSF
    ioctl_gets(0x5405, kTermio),  // TCGETA
    ioctl_sets(0x5406, kTermio),  // TCSETA
    ioctl_sets(0x5407, kTermio),  // TCSETAW
    ioctl_sets(0x5408, kTermio),  // TCSETAF
    ioctl_takes(0x5409, kInt, "arg"),  // TCSBRK
    ioctl_takes(0x540a, named(kFlow, Width::Long), "arg"),  // TCXONC
    ioctl_takes(0x540b, named(kFlush, Width::Long), "arg"),  // TCFLSH
    ioctl_bare(0x540c),  // TIOCEXCL
    ioctl_bare(0x540d),  // TIOCNXCL
    ioctl_takes(0x540e, kInt, "arg"),  // TIOCSCTTY
    ioctl_gets(0x540f, kInt),  // TIOCGPGRP
    ioctl_sets(0x5410, kInt),  // TIOCSPGRP
    ioctl_gets(0x5411, kInt),  // TIOCOUTQ
    ioctl_sets(0x5412, kOneByte),  // TIOCSTI
    ioctl_gets(0x5413, kWindow),  // TIOCGWINSZ
    ioctl_sets(0x5414, kWindow),  // TIOCSWINSZ
    ioctl_gets(0x5415, kModem),  // TIOCMGET
    ioctl_sets(0x5416, kModem),  // TIOCMBIS
    ioctl_sets(0x5417, kModem),  // TIOCMBIC
    ioctl_sets(0x5418, kModem),  // TIOCMSET
    ioctl_gets(0x5419, kInt),  // TIOCGSOFTCAR
    ioctl_sets(0x541a, kInt),  // TIOCSSOFTCAR
    ioctl_gets(0x541b, kInt),  // FIONREAD
    ioctl_bare(0x541d),  // TIOCCONS
    ioctl_bare(0x541f),  // TIOCSSERIAL
    ioctl_sets(0x5420, kInt, "mode"),  // TIOCPKT
    ioctl_sets(0x5421, kInt),  // FIONBIO
    ioctl_bare(0x5422),  // TIOCNOTTY
    ioctl_sets(0x5423, kInt),  // TIOCSETD
    ioctl_gets(0x5424, kInt),  // TIOCGETD
    ioctl_takes(0x5425, kInt, "arg"),  // TCSBRKP
    ioctl_bare(0x5427),  // TIOCSBRK
    ioctl_bare(0x5428),  // TIOCCBRK
    ioctl_gets(0x5429, kInt),  // TIOCGSID
    ioctl_bare(0x5437),  // TIOCVHANGUP
    ioctl_bare(0x5450),  // FIONCLEX
    ioctl_bare(0x5451),  // FIOCLEX
    ioctl_sets(0x5452, kInt),  // FIOASYNC
    ioctl_gets(0x5456, kTermios),  // TIOCGLCKTRMIOS
    ioctl_sets(0x5457, kTermios),  // TIOCSLCKTRMIOS
    ioctl_sets(0x40045431, kInt, "lock"),  // TIOCSPTLCK
    ioctl_sets(0x402c542b, kTermios2),  // TCSETS2
    ioctl_sets(0x402c542c, kTermios2),  // TCSETSW2
    ioctl_sets(0x402c542d, kTermios2),  // TCSETSF2
    ioctl_gets(0x80045430, kInt),  // TIOCGPTN
    ioctl_gets(0x80045432, kInt),  // TIOCGDEV
    ioctl_gets(0x80045440, kInt),  // TIOCGEXCL
    ioctl_gets(0x802c542a, kTermios2),  // TCGETS2
};

}  // namespace

constinit const IoctlRows kTtyIoctls = {kTtyRows};

}  // namespace strut
