// Lines that run a known number of times, with variables of known values: for tests/dtrace/located, which builds it at
// several levels of optimisation, and with -DLIBRARY as a library. Comments "at NAME" mark lines for it.
#include <stdio.h>

struct point {
  int x, y;
  struct point *next;
  char name[8];
  unsigned colour : 3;
  unsigned kind : 5;
  struct {
    long inner;
    double weight;
  } nested;
};
enum shape { kRound = 3, kSquare = 7 };

#define APART __attribute__((noinline, noclone))
#define WITHIN static inline __attribute__((always_inline))

int total;
static const char *label = "unlabelled";
struct point origin = {.x = -1, .y = -2, .name = "origin", .colour = 5, .kind = 17};

void keep(const void *of) { __asm__ volatile("" : : "r"(of) : "memory"); }

WITHIN int scaled(int value, int by) {
  int result = value * by;  // at scaled
  total += result;          // at added
  return result;
}

#ifdef LIBRARY

static int in_library;
int counter = 40;

APART int library_work(int given) {
  int twice = given * 2;
  in_library += twice;  // at library
  counter++;            // at counted
  keep(&in_library);
  return twice + in_library;
}

#else

APART int walk(struct point *first, long limit, unsigned char small) {
  int sum = 0, steps = 0;
  for (struct point *p = first; p; p = p->next) {      // at head
    static int visits;
    visits++;                                          // at visits
    sum += scaled(p->x, 3);                            // at first copy
    sum += scaled(p->y, small);                        // at second copy
    if (sum > limit) sum -= (int)limit;                // at bound
    steps++;
    keep(&visits);
  }

  // No code begins here.
  keep(&steps);
  return sum;  // at return
}

APART double weigh(struct point by_value, double weight, float ratio, enum shape shape, signed char tiny) {
  int table[4] = {10, 20, 30, 40};
  const char *text = label;
  keep(table);
  keep(&by_value);
  if (shape == kSquare) table[tiny & 3]++;  // at weigh
  keep(table);
  return by_value.nested.weight * weight + ratio + (double)(text != NULL);
}

APART long twelve(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + b + c + d + e + f + g + h;  // at twelve
}

int main(void) {
  struct point points[3] = {{.x = 1, .y = 2, .name = "first", .colour = 1, .kind = 9},
                            {.x = 10, .y = -20, .name = "second", .colour = 6, .kind = 31},
                            {.x = 100, .y = 200, .name = "third", .nested = {.inner = 1L << 40, .weight = 2.5}}};
  points[0].next = &points[1];
  points[1].next = &points[2];
  keep(points);
  int sum = 0;
  for (int round = 0; round < 4; round++) sum += walk(points, 1000 + round, (unsigned char)(250 + round));
  label = "labelled";
  double weight = weigh(points[2], 1.5, 0.25F, kSquare, -3);
  long parts = twelve(1, 2, 3, 4, 5, 6, 7, -8);
  printf("%d %d %g %ld\n", sum, total, weight, parts);
  return 0;
}

#endif
