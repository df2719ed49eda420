#!/usr/bin/env -S strut dtrace -qs
/*
 * Reads and writes as they happen, with bytes and file: of a command or process, else system-wide.
 * strut dtrace rwsnoop -c 'cat /etc/hostname'
 */
#pragma D option defaultargs

BEGIN
{
        printf("%5s %7s %-16s %1s %9s %s\n", "UID", "PID", "PROGRAM", "D", "BYTES", "FILE");
}

syscall::read:entry,
syscall::pread64:entry,
syscall::readv:entry,
syscall::write:entry,
syscall::pwrite64:entry,
syscall::writev:entry
/pid != $pid && ($target == 0 || progenyof($target))/
{
        self->file = fds[arg0].fi_pathname;
        self->is_in = 1;
}

syscall::read:return,
syscall::pread64:return,
syscall::readv:return
/self->is_in/
{
        printf("%5d %7d %-16s R %9d %s\n", uid, pid, execname, arg0, self->file);
}

syscall::write:return,
syscall::pwrite64:return,
syscall::writev:return
/self->is_in/
{
        printf("%5d %7d %-16s W %9d %s\n", uid, pid, execname, arg0, self->file);
}

syscall::read:return,
syscall::pread64:return,
syscall::readv:return,
syscall::write:return,
syscall::pwrite64:return,
syscall::writev:return
{
        self->file = 0;
        self->is_in = 0;
}
