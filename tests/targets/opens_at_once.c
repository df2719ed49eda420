// Opens a library as the first thing that it does, calls a function of it, closes it; three times. Arguments: the
// library, the function. Prints how many calls it has made.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int calls = 0;
  for (int turn = 0; turn < 3 && argc == 3; turn++) {
    void *library = dlopen(argv[1], RTLD_NOW);
    unsigned long (*function)(void) = library ? (unsigned long (*)(void))dlsym(library, argv[2]) : NULL;
    if (!function) return 1;
    for (int i = 0; i < 5; i++, calls++) function();
    dlclose(library);
  }
  printf("%d\n", calls);
  return 0;
}
