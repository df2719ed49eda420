#!/usr/bin/env -S strut dtrace -qs
/*
 * How long programs run before they wait or are preempted, as distributions of microseconds; system-wide.
 * strut dtrace cpu-bursts
 */
sched:::on-cpu
/pid != 0/
{
        self->since = timestamp;
}

sched:::off-cpu
/self->since/
{
        @[execname] = quantize((timestamp - self->since) / 1000);
        self->since = 0;
}
