#!/usr/bin/env -S strut dtrace -qs
/*
 * How long threads hold pthread mutexes, as distributions of nanoseconds by the function that locks: the ten longest.
 * strut dtrace mutex-holds -c './PROGRAM'
 */
pid$target:libc.so.6:pthread_mutex_lock:entry
{
        self->mutex = arg0;
}

pid$target:libc.so.6:pthread_mutex_lock:return
/self->mutex && arg1 == 0/
{
        since[self->mutex] = timestamp;
        by[self->mutex] = ucaller;
        self->mutex = 0;
}

pid$target:libc.so.6:pthread_mutex_unlock:entry
/since[arg0]/
{
        @[ufunc(by[arg0])] = quantize(timestamp - since[arg0]);
        since[arg0] = 0;
}

END
{
        trunc(@, 10);
}
