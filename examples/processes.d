#!/usr/bin/env -S strut dtrace -qs
/*
 * The programs that a command executes, and how its processes end.
 * strut dtrace processes -c 'make'
 */
proc:::exec-success
/progenyof($target)/
{
        printf("%7d  %s\n", pid, curpsinfo->pr_psargs);
}

proc:::exit
/progenyof($target)/
{
        printf("%7d  ends: %s\n", pid,
            arg0 == CLD_EXITED ? "exited" : arg0 == CLD_KILLED ? "killed" : "dumped");
}
