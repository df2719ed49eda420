// Signals that the kernel sends a process because its output cannot be written.
#pragma once

namespace strut {

/// From now on a write to a pipe without a reader fails with EPIPE, and one beyond RLIMIT_FSIZE with EFBIG, instead of
/// ending strut by SIGPIPE or SIGXFSZ. Commands that strut executes do not inherit that (execve(2) resets handlers);
/// where one of the signals is ignored already, it stays ignored, for the command too. A SIGPIPE or SIGXFSZ that
/// another process sends ends strut as before.
void survive_unwritable_output();

}  // namespace strut
