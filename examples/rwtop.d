#!/usr/bin/env -S strut dtrace -qs
/*
 * The ten processes that read and write most bytes, every five seconds, system-wide.
 * strut dtrace rwtop
 */
syscall::read:entry,
syscall::pread64:entry,
syscall::readv:entry
{
        self->reads = 1;
}

syscall::write:entry,
syscall::pwrite64:entry,
syscall::writev:entry
{
        self->writes = 1;
}

syscall:::return
/self->reads && errno == 0/
{
        @bytes[pid, execname, "R"] = sum(arg0);
}

syscall:::return
/self->writes && errno == 0/
{
        @bytes[pid, execname, "W"] = sum(arg0);
}

syscall:::return
{
        self->reads = 0;
        self->writes = 0;
}

tick-5s,
END
{
        trunc(@bytes, 10);
        printf("%Y\n%7s %-16s %1s %12s\n", walltimestamp, "PID", "PROGRAM", "D", "BYTES");
        printa("%7d %-16s %1s %@12d\n", @bytes);
        trunc(@bytes);
}
