#!/usr/bin/env -S strut dtrace -qs
/*
 * How long CPython's garbage collector stops a program, as distributions of microseconds by generation (its USDT probes).
 * strut dtrace gc-pauses -c 'python3 PROGRAM'
 */
#pragma D option zdefs

python$target:::gc-start
{
        self->began = timestamp;
        self->generation = arg0;
}

python$target:::gc-done
/self->began/
{
        @[self->generation] = quantize((timestamp - self->began) / 1000);
        self->began = 0;
}
