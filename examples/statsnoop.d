#!/usr/bin/env -S strut dtrace -qs
/*
 * Paths whose status is asked for (stat(2)), and the error where there is one: of a command or process, else system-wide.
 * strut dtrace statsnoop -c 'ls -l /etc'
 */
#pragma D option defaultargs

BEGIN
{
        printf("%7s %-16s %5s %-12s %s\n", "PID", "PROGRAM", "ERROR", "CALL", "PATH");
}

syscall::stat:entry,
syscall::lstat:entry
/$target == 0 || progenyof($target)/
{
        self->path = arg0;
}

syscall::newfstatat:entry,
syscall::statx:entry
/$target == 0 || progenyof($target)/
{
        self->path = arg1;
}

syscall::stat:return,
syscall::lstat:return,
syscall::newfstatat:return,
syscall::statx:return
/self->path && copyinstr(self->path) != ""/
{
        printf("%7d %-16s %5d %-12s %s\n", pid, execname, errno, probefunc, copyinstr(self->path));
}

syscall::stat:return,
syscall::lstat:return,
syscall::newfstatat:return,
syscall::statx:return
{
        self->path = 0;
}
