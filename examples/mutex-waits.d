#!/usr/bin/env -S strut dtrace -qs
/*
 * How long threads wait in pthread_mutex_lock(3), and how often, by the function that calls it.
 * strut dtrace mutex-waits -c './PROGRAM'
 */
pid$target:libc.so.6:pthread_mutex_lock:entry
{
        self->began = timestamp;
        self->caller = ucaller;
}

pid$target:libc.so.6:pthread_mutex_lock:return
/self->began/
{
        @ns[ufunc(self->caller)] = sum(timestamp - self->began);
        @calls[ufunc(self->caller)] = count();
        self->began = 0;
}

END
{
        printf("%14s %10s  %s\n", "NS", "CALLS", "CALLER");
        printa("%@14d %@10d  %A\n", @ns, @calls);
}
