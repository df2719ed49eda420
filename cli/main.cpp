// strut's entry: the first word, or the name it was called by, picks the personality.
#include <cstdio>

int main() {
  std::fputs("strut: no personality is built in yet\n", stderr);
  return 1;
}
