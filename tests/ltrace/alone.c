// Does nothing, and calls nobody.
int main(void) { return 0; }
