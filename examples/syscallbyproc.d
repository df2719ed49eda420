#!/usr/bin/env -S strut dtrace -qs
/*
 * How many system calls each program makes: of a command or process, else system-wide until interrupted.
 * strut dtrace syscallbyproc
 */
#pragma D option defaultargs

syscall:::entry
/$target == 0 || progenyof($target)/
{
        @[execname] = count();
}

END
{
        printf("%-16s %10s\n", "PROGRAM", "CALLS");
        printa("%-16s %@10d\n", @);
}
