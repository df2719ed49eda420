// Not Python, but with the marks by which strut recognizes it. Scenes: future (a version to come), cycle (of 3.11,
// structures that lead back to themselves, and strings without end).
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

unsigned long Py_Version = 0x030e00f0;
__attribute__((section(".PyRuntime"))) uint64_t _PyRuntime[64] = {1};

// Offsets of CPython 3.11, in words.
static uint64_t interpreter[8], state[32], cframe[4], frame[16], code[32], type[8], text[8];

static void lead_in_circles(void) {
  Py_Version = 0x030b00f0;
  _PyRuntime[5] = (uint64_t)interpreter;
  interpreter[0] = (uint64_t)interpreter;  // next
  interpreter[2] = (uint64_t)state;
  state[1] = (uint64_t)state;  // next
  state[7] = (uint64_t)cframe;
  state[20] = (uint64_t)getpid();
  cframe[1] = (uint64_t)frame;
  cframe[2] = (uint64_t)cframe;  // previous
  frame[4] = (uint64_t)code;
  frame[6] = (uint64_t)frame;  // previous
  memset(&frame[8], 1, sizeof frame[8]);  // is_entry
  code[1] = (uint64_t)type;
  type[3] = (uint64_t)"code";
  code[14] = code[16] = (uint64_t)text;
  code[17] = (uint64_t)text;  // bytes of the line table: 2^63
  text[2] = ~(uint64_t)0 >> 1;
  text[4] = 0x64;  // one byte a character, compact, ASCII
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "cycle") == 0) lead_in_circles();
  puts("ready");
  fflush(stdout);
  pause();
  return 0;
}
