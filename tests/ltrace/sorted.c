/* A comparison that jumps to strcoll(3), called by the C library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compared;
static char *volatile other = "a";
static int by_place(const void *a, const void *b) {
  compared++;
  return strcoll(a, b);
}

int main(void) {
  char texts[8][8] = {"pear", "fig", "lemon", "apple", "melon", "kiwi", "plum", "date"};
  if (strcmp(other, "a")) return 1; /* the target of strcoll's jump is a function of its own for the program, too */
  qsort(texts, 8, sizeof *texts, by_place);
  printf("strcoll %d\n", compared);
  return 7;
}
