def mean(i, j, u):
    """Of the four neighbours: what u is where Laplace's equation holds."""
    return 0.25*(u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def relax(i, j, u, held, colour, omega):
    """A sweep over the fields of one colour of a chessboard. They have neighbours of the other
    colour alone, so the order does not matter. Successive over-relaxation: omega is above 1."""
    if (i + j) % 2 == colour and held[i, j] == 0:
        u[i, j] += omega*(mean(i, j, u) - u[i, j])


def change(k, u, held):
    """How far the k-th point of all is from the mean of its neighbours: what a reduction takes."""
    width = u.shape[1]
    i = k // width
    j = k % width
    if held[i, j] != 0:
        return 0.0
    return abs(mean(i, j, u) - u[i, j])
