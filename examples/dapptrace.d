#!/usr/bin/env -S strut dtrace -s
/*
 * Calls and returns of a program's own functions as they happen, indented, with microseconds since the line before.
 * strut dtrace dapptrace -c './PROGRAM'
 */
#pragma D option flowindent

self uint64_t last;

pid$target:a.out::entry
{
        printf("%d us (0x%x, 0x%x, 0x%x)", self->last ? (timestamp - self->last) / 1000 : 0, arg0, arg1, arg2);
        self->last = timestamp;
}

pid$target:a.out::return
{
        printf("%d us", self->last ? (timestamp - self->last) / 1000 : 0);
        self->last = timestamp;
}
