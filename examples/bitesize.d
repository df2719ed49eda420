#!/usr/bin/env -S strut dtrace -qs
/*
 * Sizes of requests to disks, as distributions of bytes for each program, system-wide until interrupted.
 * strut dtrace bitesize
 */
io:::start
{
        @[execname] = quantize(args[0]->b_bcount);
}
