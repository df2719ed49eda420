// Functions that pass on their arguments: va_lists, and system calls by their numbers.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

static char text[512];
static wchar_t wide[512];

static void plain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

/// All registers but one are named, and the list has been read from before.
static int late(int a, int b, int c, int d, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int first = va_arg(list, int);
  vsprintf(text, format, list);
  va_end(list);
  return a + b + c + d + first;
}

static void in_wide(const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  vswprintf(wide, sizeof wide / sizeof *wide, format, list);
  va_end(list);
}

int main(void) {
  plain("nothing");
  plain("%s %d %c", "one", 2, 'c');
  plain("%d %f %s %g %s %d %d %Lf %s", 1, 0.5, "y", 2.5, "z", 3, 4, 3.25L, "last");
  plain("%f %f %f %f %f %f %f %f %f %f %d", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11);
  plain("%d %d %d %d %d %Lf %d", 1, 2, 3, 4, 5, 6.5L, 7);
  plain("%2$s %1$d", 4, "cut");
  late(1, 2, 3, 4, "%s %s %d", 5, "on", "the stack", 6);
  in_wide(L"%ls %s %d", L"wide", "narrow", 5);
  syscall(SYS_getpid);
  syscall(SYS_futex, text, FUTEX_WAKE_PRIVATE, 1);
  syscall(SYS_futex, text, FUTEX_WAIT, 1, NULL);
  syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
  syscall(SYS_openat, AT_FDCWD, "/dev/null/x", O_WRONLY | O_CREAT, 0644);
  syscall(SYS_mmap, NULL, 4096, 1, 0x22, -1, 0);
  syscall(100000, 1, 2, 3, 4, 5, 6);
  return 7;
}
