/* stock_family one: a few calls with files. all: also a forked child that dies of a signal, a thread, an exec. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void files(void) {
  char text[64];
  struct stat status;
  int fd = open("/tmp/stock_family.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(fd, "some text\n", 10) != 10) _exit(2);
  lseek(fd, 0, SEEK_SET);
  if (read(fd, text, sizeof(text)) != 10) _exit(3);
  fstat(fd, &status);
  close(fd);
  open("/nonexistent/path", O_RDONLY);
  unlink("/tmp/stock_family.txt");
}

static void *in_thread(void *unused) {
  files();
  return unused;
}

int main(int count, char **words) {
  files();
  if (count < 2 || strcmp(words[1], "all") != 0) return 0;
  if (fork() == 0) {
    files();
    raise(SIGTERM);
  }
  wait(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, NULL);
  pthread_join(thread, NULL);
  execl(words[0][0] == '/' ? words[0] : "/bin/stock_family", "stock_family", "one", NULL);
  return 4;
}
