// Exceptions through traced functions, and calls of C++ programs; counts its own calls. With "wait" it does nothing
// until its input ends.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

static long news, deletes, thrown, caught;

void* operator new(size_t bytes) {
  news++;
  void* at = std::malloc(bytes);
  if (!at) std::abort();
  return at;
}
void operator delete(void* at) noexcept {
  deletes++;
  std::free(at);
}
void operator delete(void* at, size_t) noexcept {
  deletes++;
  std::free(at);
}

static int compare(const void* a, const void* b) {
  if (*static_cast<const int*>(a) == 3 || *static_cast<const int*>(b) == 3) {
    thrown++;
    throw std::runtime_error("three");
  }
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

static int wait_for_end() {
  std::puts("ready");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "wait") == 0) return wait_for_end();
  int turns = argc > 1 ? std::atoi(argv[1]) : 20;
  for (int i = 0; i < turns; i++) {
    int numbers[] = {5, 1, 3, 2};
    try {
      std::qsort(numbers, 4, sizeof *numbers, compare);
    } catch (const std::runtime_error&) {
      caught++;
    }
    std::vector<std::string> words(3, std::string(static_cast<size_t>(20 + i), 'x'));
    try {
      (void)words.at(7);
    } catch (const std::out_of_range&) {
      caught++;
      thrown++;
    }
  }
  std::printf("caught %ld thrown %ld qsort %d balance %ld\n", caught, thrown, turns, news - deletes);
  return caught == 2 * turns ? 5 : 1;
}
