/* Functions of the C library that jump into the middle of one another: each counts as the call that the program made. */
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static char from[256];
static wchar_t wide[64];
static volatile size_t sum;

int main(void) {
  char to[512];
  for (int i = 0; i < 30; i++) memcpy(to, from, (size_t)i);
  for (int i = 0; i < 40; i++) mempcpy(to, from, (size_t)i);
  for (int i = 0; i < 50; i++) memmove(to + 1, to, (size_t)i);
  for (int i = 0; i < 60; i++) memset(to, i, (size_t)i);
  for (int i = 0; i < 70; i++) wmemset(wide, L'a', (size_t)i % 64);
  for (int i = 0; i < 80; i++) sum += strlen(from);
  for (int i = 0; i < 90; i++) sum += (size_t)strcmp(from, to);
  copy(to, from, 1);
  static const char counts[] = "mempcpy 40\nmemset 60\nwmemset 70\nstrlen 80\nstrcmp 90\nmoves 81\n";
  _exit(write(1, counts, sizeof counts - 1) < 0 ? 1 : 7);
}
