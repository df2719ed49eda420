#!/usr/bin/env -S strut dtrace -qs
/*
 * Files as they are opened, and the error of those that cannot be: of a command or process, else system-wide.
 * strut dtrace opensnoop -c 'cat /etc/hostname'
 */
#pragma D option defaultargs

BEGIN
{
        printf("%7s %-16s %4s %5s %s\n", "PID", "PROGRAM", "FD", "ERROR", "PATH");
}

syscall::open:entry,
syscall::creat:entry
/$target == 0 || progenyof($target)/
{
        self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
/$target == 0 || progenyof($target)/
{
        self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
        printf("%7d %-16s %4d %5d %s\n", pid, execname, errno == 0 ? arg0 : -1, errno, copyinstr(self->path));
        self->path = 0;
}
