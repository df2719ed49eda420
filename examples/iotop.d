#!/usr/bin/env -S strut dtrace -qs
/*
 * The ten programs that move most bytes to and from disks, every five seconds, system-wide.
 * strut dtrace iotop
 */
io:::start
{
        @[pid, execname, args[1]->dev_statname, args[0]->b_flags & B_WRITE ? "W" : "R"] = sum(args[0]->b_bcount);
}

tick-5s,
END
{
        trunc(@, 10);
        printf("%Y\n%7s %-16s %-8s %1s %12s\n", walltimestamp, "PID", "PROGRAM", "DISK", "D", "BYTES");
        printa("%7d %-16s %-8s %1s %@12d\n", @);
        trunc(@);
}
