/* Makes one call for the first byte that comes and very many for each after that, says so, and lives on until its standard input
 * ends. The argument: how many. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int toupper(int);
static volatile int sum;

int main(int count, char **words) {
  int calls = 1;
  char go;
  puts("ready");
  fflush(stdout);
  while (read(0, &go, 1) == 1) {
    for (int i = 0; i < calls; i++) sum += toupper('a' + i % 26);
    calls = atoi(words[1]);
    puts("made");
    fflush(stdout);
  }
  return 7;
}
