// Does nothing, and makes no call.
int main(void) { return 0; }
