// A library that is opened and closed again.
int opened(int argument) { return argument + 1; }
