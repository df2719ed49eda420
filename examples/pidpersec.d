#!/usr/bin/env -S strut dtrace -qs
/*
 * How many processes are created each second, and the last one's id, system-wide until interrupted.
 * strut dtrace pidpersec
 */
BEGIN
{
        printf("%-22s %8s %8s\n", "TIME", "LAST PID", "CREATED");
}

proc:::start
{
        created++;
        last = pid;
}

tick-1s
{
        printf("%-22Y %8d %8d\n", walltimestamp, last, created);
        created = 0;
}
