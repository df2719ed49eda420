// The library that tests/targets/stacks.c loads. As a program it does nothing.
// strut: also -shared
static volatile int sink;

void library_calls(void (*back)(void)) {
  back();
  sink++;
}

int main(void) { return 0; }
