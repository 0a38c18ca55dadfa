/* What the layout does not have: two statements on a line. */
int one(void) { int a = 1; return a; }
