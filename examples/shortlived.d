#!/usr/bin/env -S strut dtrace -qs
/*
 * Which programs live for less than a tenth of a second, how often and how long in all: of a command, else system-wide.
 * strut dtrace shortlived -c './configure'
 */
#pragma D option defaultargs

proc:::start
/$target == 0 || progenyof($target)/
{
        began[pid] = timestamp;
}

proc:::exit
/began[pid] && timestamp - began[pid] < 100000000/
{
        @us[execname] = sum((timestamp - began[pid]) / 1000);
        @number[execname] = count();
}

proc:::exit
{
        began[pid] = 0;
}

END
{
        printf("%-16s %12s %8s\n", "PROGRAM", "US", "COUNT");
        printa("%-16s %@12d %@8d\n", @us, @number);
}
