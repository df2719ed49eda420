// A program of the documents' examples: sorts three words with the C library.
#include <stdlib.h>
#include <string.h>

static int cmp(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  const char *words[] = {"c", "a", "b"};
  char *copy = malloc(10);
  strcpy(copy, "words");
  free(copy);
  qsort(words, 3, sizeof words[0], cmp);
  return 7;
}
