#!/usr/bin/env -S strut dtrace -qs
/*
 * Requests to disks as they are made: who, read or write, bytes and where; system-wide until interrupted.
 * strut dtrace iosnoop
 */
BEGIN
{
        printf("%5s %7s %-16s %1s %9s %-8s %12s\n", "UID", "PID", "PROGRAM", "D", "BYTES", "DISK", "BLOCK");
}

io:::start
{
        printf("%5d %7d %-16s %1s %9d %-8s %12d\n", uid, pid, execname, args[0]->b_flags & B_WRITE ? "W" : "R",
            args[0]->b_bcount, args[1]->dev_statname, args[0]->b_blkno);
}
