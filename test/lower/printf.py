# printf's arguments are promoted as C does, and its length modifiers made to fit them.
# RUN: cplc --emit ir %s:show --types 'a=int8 b=int64 u=uint32 x=float32' --as function \
# RUN:   | FileCheck %s


def show(a, b, u, x):
    printf("%d %5d %x%% %u %-8.3f|\n", a, b, b, u, x)
    printf("%d %ld\n", u, a)
    printf("plain\n")


# CHECK: printf("%d %5lld %llx%% %u %-8.3f|\n", convert<int32>(a), b, b, u, convert<float64>(x))
# CHECK-NEXT: printf("%lld %d\n", convert<int64>(u), convert<int32>(a))
# CHECK-NEXT: printf("plain\n")
