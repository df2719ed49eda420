/* A thread that is not its process's first one executes this program again, which then makes calls. By argv[2]: "execve" of the C library, or a
 * "syscall" of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TURNS = 20 };
extern char **environ;

static char **words;
static void *execute(void *unused) {
  char *again[] = {words[0], "again", NULL};
  if (words[2][0] == 's') syscall(SYS_execve, words[0], again, environ);
  execve(words[0], again, environ);
  _exit(9);
}

int main(int count, char **arguments) {
  pthread_t thread;
  words = arguments;
  if (!strcmp(arguments[1], "again")) {
    for (int i = 0; i < TURNS; i++) free(malloc(10 + (size_t)i));
    printf("malloc %d\nfree %d\n", TURNS, TURNS);
    return 7;
  }
  if (pthread_create(&thread, NULL, execute, NULL)) return 2;
  pthread_join(thread, NULL);
  return 3;
}
