from compyle.low_level import nogil, parallel, prange


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2:
            n = 3*n + 1
        else:
            n //= 2
        steps += 1
        if steps > 100:
            return -1
    return steps


def mixed(x, n):
    total = 0
    with nogil, parallel():
        for i in prange(n):
            x[i] = collatz(i + 1)
            total += x[i]*(i - n) // (i % 3)
    for j in range(n):
        if x[j] == 7:
            break
        total -= j
    else:
        total = 0
    return total
