#!/usr/bin/env -S strut dtrace -qs
/*
 * System calls of a process and its children, with microseconds and results; paths as text, else numbers.
 * strut dtrace dtruss -p PID
 */
BEGIN
{
        printf("%13s %8s  %s\n", "PID/THREAD", "US", "CALL");
}

syscall:::entry
/progenyof($target)/
{
        self->began = timestamp;
        self->first = arg0;
        self->second = arg1;
        self->third = arg2;
}

syscall::open:return,
syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::readlink:return,
syscall::unlink:return,
syscall::mkdir:return,
syscall::rmdir:return,
syscall::chdir:return,
syscall::execve:return
/self->began/
{
        printf("%6d/%-6d %8d  %s(\"%S\", 0x%x, 0x%x) = %d, error %d\n", pid, tid, (timestamp - self->began) / 1000,
            probefunc, copyinstr(self->first), self->second, self->third, arg0, errno);
        self->began = 0;
}

syscall::openat:return,
syscall::newfstatat:return,
syscall::faccessat:return,
syscall::faccessat2:return,
syscall::readlinkat:return,
syscall::unlinkat:return,
syscall::mkdirat:return
/self->began/
{
        printf("%6d/%-6d %8d  %s(%d, \"%S\", 0x%x) = %d, error %d\n", pid, tid, (timestamp - self->began) / 1000,
            probefunc, (int)self->first, copyinstr(self->second), self->third, arg0, errno);
        self->began = 0;
}

syscall:::return
/self->began/
{
        printf("%6d/%-6d %8d  %s(0x%x, 0x%x, 0x%x) = %d, error %d\n", pid, tid, (timestamp - self->began) / 1000,
            probefunc, self->first, self->second, self->third, arg0, errno);
        self->began = 0;
}
