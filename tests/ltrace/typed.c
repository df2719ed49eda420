/* Functions with every kind of type in their debug information: how they are passed, and their forms in memory. */
#include <string.h>
#include <wchar.h>

enum colour { RED, GREEN = 5, BLUE };
union either {
  int whole;
  float broken;
};
struct pair {
  int first;
  short second;
};
struct thing {
  enum colour colour;
  union either either;
  double real;
  float reals[3];
  char name[8];
  wchar_t wide;
  _Bool is;
  int (*function)(int);
  long double longest;
  __int128 widest;
  const char *text;
  const wchar_t *wide_text;
};

int called_back(int x) { return x + 1; }

int take(const struct thing* thing, enum colour colour, _Bool is, union either either, float f, double d, long double l,
         __int128 i, int (*function)(int), struct pair pair, int odd, struct thing whole) {
  return function(1) + colour + is + either.whole + (f + d + l > i) + pair.first + odd + whole.is + thing->is;
}
struct pair give_pair(int x) { return (struct pair){x, (short)(x + 1)}; }
struct thing give_thing(double x) {
  struct thing made;
  memset(&made, 0, sizeof made);
  made.colour = GREEN;
  made.real = x;
  made.text = "made";
  return made;
}
__int128 give_widest(void) { return ((__int128)1 << 64) + 5; }
unsigned __int128 give_unsigned(unsigned __int128 x, int y) { return x - y; }
long double give_longest(long double x) { return x + 1; }
double _Complex give_complex(double _Complex z, int y) { return z * y; }
const wchar_t *give_wide(const wchar_t *x) { return x + 1; }
float _Complex give_short_complex(float _Complex z) { return z * 2; }

int main(void) {
  struct thing thing;
  memset(&thing, 0, sizeof thing);
  thing.colour = BLUE;
  thing.either.whole = 3;
  thing.real = 1.5;
  thing.reals[1] = 2.5f;
  strcpy(thing.name, "name");
  thing.wide = L'w';
  thing.is = 1;
  thing.function = called_back;
  thing.longest = 2.25L;
  thing.widest = -12345;
  thing.text = "text";
  thing.wide_text = L"w\u00efde";
  take(&thing, GREEN, 1, (union either){.whole = 7}, 1.25f, 2.5, 3.75L, -2, called_back, (struct pair){8, 9}, 10,
       thing);
  give_pair(3);
  give_thing(4);
  give_widest();
  give_unsigned(0, 1);
  give_longest(1.5L);
  give_wide(L"abc");
  give_complex(1.0 + 2.0 * 1.0i, 2);
  give_short_complex(0.5f + 1.5f * 1.0fi);
  return 7;
}
