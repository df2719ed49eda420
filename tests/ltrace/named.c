// A library's function with three names, one that is looked up by one of its many names, and wide characters.
#ifdef LIBRARY
int first_name(int x) { return x + 1; }
int second_name(int) __attribute__((alias("first_name")));
int third_name(int) __attribute__((alias("first_name")));
int calls_itself(int x) { return third_name(x); }
#else
#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <wchar.h>

int first_name(int), second_name(int), third_name(int), calls_itself(int);

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  first_name(1);
  second_name(2);
  third_name(3);
  calls_itself(4);
  double (*cosine)(double) = (double (*)(double))dlsym(dlopen("libm.so.6", RTLD_LAZY), "cos");
  putwchar(0x424);
  wprintf(L"%m %lc%C\n", L'a', L'b');
  return cosine(0) == 1 ? 7 : 1;
}
#endif
