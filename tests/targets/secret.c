/* A process with a secret: it says its effective user first, then passes "secret of UID" to write(2) until it is killed.
 *
 * secret [once | busy | hides | hidden]: once: does it once and exits with 7; busy: does nothing else; hides: does it once, is not
 * dumpable any more (PR_SET_DUMPABLE), passes "hidden of UID" and exits with 7; hidden: is not dumpable from the beginning. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline, noclone)) static ssize_t keep(int fd, const char *what) {
  char text[64];
  int bytes = snprintf(text, sizeof text, "%s of %u", what, geteuid());
  return write(fd, text, (size_t)bytes);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int fd = open("/dev/null", O_WRONLY);
  if (!strcmp(how, "hidden")) prctl(PR_SET_DUMPABLE, 0);
  printf("runs as %u\n", geteuid());
  fflush(stdout);
  if (!strcmp(how, "once") || !strcmp(how, "hides")) {
    keep(fd, "secret");
    puts(how);
    fflush(stdout);
    if (strcmp(how, "hides")) return 7;
    prctl(PR_SET_DUMPABLE, 0);
    keep(fd, "hidden");
    return 7;
  }
  for (struct timespec pause = {0, 2000000};;) {
    keep(fd, "secret");
    if (strcmp(how, "busy")) nanosleep(&pause, 0);
  }
}
