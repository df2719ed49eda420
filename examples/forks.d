#!/usr/bin/env -S strut dtrace -qs
/*
 * The processes that a command makes, and how long each of them lives:
 * strut dtrace -qs forks.d -c 'sh -c "sleep 0.1; true"'
 */
proc:::start
/progenyof($target)/
{
        began[pid] = timestamp;
}

proc:::exit
/began[pid]/
{
        printf("%7d  %-16s %8d us\n", pid, execname, (timestamp - began[pid]) / 1000);
        began[pid] = 0;
}
