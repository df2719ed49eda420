#!/usr/bin/env -S strut dtrace -qs
/*
 * From where a C++ program throws exceptions, and how often (libstdc++'s USDT probes).
 * strut dtrace exceptions -c './PROGRAM'
 */
#pragma D option zdefs

libstdcxx$target:::throw
{
        @[ustack(5)] = count();
}
