#!/usr/bin/env -S strut dtrace -qs
/*
 * Which programs send which signals to which, and how often: of a command or process, else system-wide until interrupted.
 * strut dtrace sigdist -c 'timeout 1 sleep 9'
 */
#pragma D option defaultargs

proc:::signal-send
/$target == 0 || progenyof($target)/
{
        @[execname, args[1]->pr_fname, args[2]] = count();
}

END
{
        printf("%-16s %-16s %6s %8s\n", "SENDER", "RECIPIENT", "SIGNAL", "COUNT");
        printa("%-16s %-16s %6d %@8d\n", @);
}
