#!/usr/bin/env -S strut dtrace -qs
/*
 * Queries of all PostgreSQL servers' processes, and how many milliseconds each takes (their USDT probes).
 * strut dtrace pg-queries
 */
#pragma D option zdefs

postgresql*:::query-start
{
        self->query = copyinstr(arg0);
        self->began = timestamp;
}

postgresql*:::query-done
/self->began/
{
        printf("%7d %8d.%03d ms  %s\n", pid, (timestamp - self->began) / 1000000,
            (timestamp - self->began) / 1000 % 1000, self->query);
        self->query = 0;
        self->began = 0;
}
