#!/usr/bin/env -S strut dtrace -qs
/*
 * System calls that fail, with which error, and how often: of a command or process, else system-wide until interrupted.
 * strut dtrace errinfo -c 'find /etc -name passwd'
 */
#pragma D option defaultargs

syscall:::return
/errno != 0 && ($target == 0 || progenyof($target))/
{
        @[execname, probefunc, errno] = count();
}

END
{
        printf("%-16s %-20s %5s %8s\n", "PROGRAM", "CALL", "ERROR", "COUNT");
        printa("%-16s %-20s %5d %@8d\n", @);
}
