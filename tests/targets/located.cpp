// Variables of C++ for tests/dtrace/located: namespaces, members by this, references, base classes.
#include <cstdio>

namespace zoo {

int visitors = 5;
static long fed = 100;

struct Animal {
  int legs = 4;
  virtual ~Animal() = default;
};

struct Cat : Animal {
  short lives = 9;
  bool is_awake = true;
  __attribute__((noinline)) int play(const int &with, Animal *other) {
    int turns = with + other->legs;
    fed += turns;
    visitors++;
    lives--;
    return turns + lives + (is_awake ? 1 : 0);  // at play
  }
};

}  // namespace zoo

int main() {
  zoo::Cat cat, other;
  other.legs = 3;
  int with = 20, sum = 0;
  for (int i = 0; i < 3; i++) sum += cat.play(with, &other);
  std::printf("%d\n", sum);
}
