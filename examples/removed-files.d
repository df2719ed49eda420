#!/usr/bin/env -S strut dtrace -qs
/*
 * Which process removes or renames files, system-wide, until interrupted.
 * Needs kassist (root): strut dtrace -qs removed-files.d
 */
syscall::unlink:entry,
syscall::rename:entry
{
        printf("%-16s %7d  %s(%s)\n", execname, pid, probefunc, copyinstr(arg0));
}

syscall::unlinkat:entry,
syscall::renameat:entry,
syscall::renameat2:entry
{
        printf("%-16s %7d  %s(%s)\n", execname, pid, probefunc, copyinstr(arg1));
}
