#!/usr/bin/env -S strut dtrace -qs
/*
 * How long the functions of a program take, the time in others that they call included: the ten longest.
 * strut dtrace -qs function-times.d -c 'PROGRAM'
 */
pid$target:a.out::entry
{
        self->depth++;
        self->began[self->depth] = timestamp;
}

pid$target:a.out::return
/self->depth && self->began[self->depth]/
{
        @ns[probefunc] = sum(timestamp - self->began[self->depth]);
        self->began[self->depth] = 0;
        self->depth--;
}

END
{
        trunc(@ns, 10);
        printf("%-40s %14s\n", "FUNCTION", "NS");
        printa("%-40s %@14d\n", @ns);
}
