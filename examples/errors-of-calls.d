#!/usr/bin/env -S strut dtrace -qs
/*
 * Which system calls of a command fail, with which error, and how often:
 * strut dtrace -qs errors-of-calls.d -c 'find /etc -name passwd'
 */
syscall:::return
/progenyof($target) && errno != 0/
{
        @[execname, probefunc, errno] = count();
}

END
{
        printf("%-16s %-20s %5s %8s\n", "PROGRAM", "CALL", "ERRNO", "COUNT");
        printa("%-16s %-20s %5d %@8d\n", @);
}
