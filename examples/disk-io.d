#!/usr/bin/env -S strut dtrace -qs
/*
 * How long disks take for requests, as distributions of microseconds, system-wide, until interrupted.
 * Needs kassist (root): strut dtrace -qs disk-io.d
 */
io:::start
{
        began[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/began[args[0]->b_edev, args[0]->b_blkno]/
{
        @[args[1]->dev_statname] =
            quantize((timestamp - began[args[0]->b_edev, args[0]->b_blkno]) / 1000);
        began[args[0]->b_edev, args[0]->b_blkno] = 0;
}
