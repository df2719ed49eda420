#!/usr/bin/env -S strut dtrace -qs
/*
 * Programs as they are executed, with their arguments: of a command or process, else system-wide.
 * strut dtrace execsnoop -c 'make'
 */
#pragma D option defaultargs

BEGIN
{
        printf("%7s %7s %5s %s\n", "PID", "PPID", "UID", "ARGUMENTS");
}

proc:::exec-success
/$target == 0 || progenyof($target)/
{
        printf("%7d %7d %5d %s\n", pid, ppid, uid, curpsinfo->pr_psargs);
}
