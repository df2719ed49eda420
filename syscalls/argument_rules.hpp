// Functions in rows of the system-call table: whether an argument exists, and numbers in unusual registers.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

// -- conditions ---------------------------------------------------------------------------------
/// open(2): the mode counts only if O_CREAT or O_TMPFILE is in the second argument.
bool open_creates(const Call& call);
/// mq_open(3): mode and attributes count only if O_CREAT is in the second argument.
bool mq_open_creates(const Call& call);
/// For openat(2), with flags as the third argument.
bool openat_creates(const Call& call);
/// mknod(2): the device counts only for S_IFCHR and S_IFBLK in the second argument.
bool mknod_makes_device(const Call& call);
/// For mknodat(2), with the mode as the third argument.
bool mknodat_makes_device(const Call& call);
/// membarrier(2): the CPU counts only with MEMBARRIER_CMD_FLAG_CPU in the second argument.
bool membarrier_names_cpu(const Call& call);
/// readdir(2): the count is ignored, and shown only if it is not the 1 that C libraries pass.
bool readdir_counts(const Call& call);

// -- numbers --------------------------------------------------------------------------------------
/// _llseek(2): the offset's high half comes in the second register, the low half in the third.
Value llseek_offset(Decoder& decoder, uint64_t bits);
inline constexpr Type kLlseekOffset = notation::shown_by(llseek_offset);
/// mmap2(2): the register counts units of 4096 bytes.
Value page_offset(Decoder& decoder, uint64_t bits);
inline constexpr Type kPageOffset = notation::shown_by(page_offset);

/// socketcall(2): a command of <linux/net.h>.
extern const ConstantSet kSocketcallNames;
inline constexpr Type kSocketcallCommand = notation::signed_type(notation::named(kSocketcallNames));
/// ipc(2): a version in the upper half, a command in the lower: 1<<16|21.
Value ipc_command(Decoder& decoder, uint64_t bits);
inline constexpr Type kIpcCommand = notation::shown_by(ipc_command);

// -- whole calls ------------------------------------------------------------------------------------
/// restart_syscall(2) has no arguments of its own: it shows which call it resumes (Call::interrupted).
void decode_resumed(Decoder& decoder, DecodedCall& call);

}  // namespace strut
