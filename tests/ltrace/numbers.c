/* Calls with arguments in floating-point registers, on the stack, and in wide characters. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  wchar_t wide[32];
  char text[512];
  double whole;
  int exponent;
  setlocale(LC_ALL, "C.UTF-8");
  sqrt(2.25);
  sqrtf(6.25f);
  sqrtl(20.25L);
  pow(2, 10);
  ldexp(1.5, 3);
  modf(3.75, &whole);
  frexp(8, &exponent);
  strtod("3.5z", NULL);
  strtold("2.25", NULL);
  swprintf(wide, 32, L"%ls %d %s", L"wide", 5, "narrow");
  snprintf(text, sizeof text, "%s, a format that is much longer than what is shown of it: %d %f %ls\n", "x", 1, 2.5,
           L"w\u00e9");
  snprintf(text, sizeof text, "%d %f %s %d %d %Lf %d %d %d %d %d %f %f %f %f %f %f %f %f %f\n", 1, 0.5, "y", 3, 4,
           3.25L, 5, 6, 7, 8, 9, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5);
  fcntl(open("/dev/null", O_RDWR | O_APPEND), F_GETFL);
  return 7;
}
