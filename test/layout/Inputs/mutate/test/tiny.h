int larger(int a, int b);
void count(int *sum, int a);
int untried(int a);
int equals_itself(int a);
int is_small(int a);
