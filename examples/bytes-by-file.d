#!/usr/bin/env -S strut dtrace -qs
/*
 * How many bytes are read and written by file, the most last: of a command or process, else system-wide until interrupted.
 * strut dtrace bytes-by-file -c 'cat /etc/hostname'
 */
#pragma D option defaultargs

syscall::read:entry,
syscall::pread64:entry,
syscall::write:entry,
syscall::pwrite64:entry
/$target == 0 || progenyof($target)/
{
        self->file = fds[arg0].fi_pathname;
        self->reads = probefunc == "read" || probefunc == "pread64";
}

syscall::read:return,
syscall::pread64:return,
syscall::write:return,
syscall::pwrite64:return
/self->file != NULL/
{
        @[self->reads ? "R" : "W", self->file] = sum(errno == 0 ? arg0 : 0);
        self->file = 0;
}

END
{
        printf("%1s %12s  %s\n", "D", "BYTES", "FILE");
        printa("%1s %@12d  %s\n", @);
}
