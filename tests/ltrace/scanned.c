// Arguments that functions of scanf(3)'s family fill in through a va_list.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static char word[32];
static wchar_t wide_word[32];
static int a, b;
static long c, d, e, f, g;
static double real;

static void from_text(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsscanf(text, format, list);
  va_end(list);
}

/// The list has been read from before.
static void late(int one, int two, const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (va_arg(list, int) == one + two) vsscanf(text, format, list);
  va_end(list);
}

static void from_stream(FILE *stream, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfscanf(stream, format, list);
  va_end(list);
}

static void from_wide(const wchar_t *text, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  vswscanf(text, format, list);
  va_end(list);
}

int main(void) {
  from_text("nothing", "nothing");
  from_text("5 words 2.5", "%d %s %lf", &a, word, &real);
  from_text("1 2 3 4 5 6 7", "%d %d %ld %ld %ld %ld %ld", &a, &b, &c, &d, &e, &f, &g);
  from_text("8 x", "%d %d", &a, &b);
  from_text("x", "%d %d", &a, &b);
  from_text("", "%d %d", &a, &b);
  late(1, 2, "9 late", "%d %s", 3, &b, word);
  FILE *stream = fmemopen("0x11 streamed", 13, "r");
  from_stream(stream, "%i %9[a-z]", &a, word);
  fclose(stream);
  from_wide(L"12 wide narrow", L"%d %ls %s", &b, wide_word, word);
  return 7;
}
