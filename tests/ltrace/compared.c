/* A comparison that jumps to strcoll(3), which itself jumps to strcmp(3): where they return to says nothing of either. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

typedef int Compare(const char *, const char *);
static Compare *volatile comparison;
static int compare(const char *a, const char *b) { return strcoll(a, b); }

#ifdef POINTED /* strcmp is not seen at the program's PLT, and strcoll is */
Compare *volatile plain = strcmp;
#endif

int main(int count, char **words) {
  int sum = 0;
  setlocale(LC_ALL, "C");
  comparison = compare;
  for (int i = 1; i < count; i++) sum += comparison(words[i], "m");
  sum += strcmp("b", "a");
  printf("strcoll %d\nstrcmp 1\nsum %d\n", count - 1, sum);
  return 7;
}
