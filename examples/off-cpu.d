#!/usr/bin/env -S strut dtrace -qs
/*
 * Where a command or process waits: the ten user stacks at which it has no CPU for longest, in nanoseconds.
 * strut dtrace off-cpu -p PID
 */
sched:::off-cpu
/pid == $target/
{
        self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
        @[ustack(8)] = sum(timestamp - self->since);
        self->since = 0;
}

END
{
        trunc(@, 10);
}
