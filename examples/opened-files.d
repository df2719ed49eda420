#!/usr/bin/env -S strut dtrace -qs
/*
 * Files that a command opens, and the error of those that it cannot open:
 * strut dtrace -qs opened-files.d -c 'cat /etc/hostname'
 */
syscall::openat:entry
/progenyof($target)/
{
        self->path = arg1;
}

syscall::openat:return
/self->path/
{
        printf("%-8s %5d  %3d  %s\n", execname, pid, errno, copyinstr(self->path));
        self->path = 0;
}
