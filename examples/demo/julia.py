def julia(i, count, width, height, c_re, c_im, limit):
    """Steps until z*z + c leaves the circle of radius 2, at most limit of them."""
    re = 2.0*(2.0*(i % width) - width)/width
    im = 2.0*(2.0*(i // width) - height)/width
    k = 0
    while k < limit and re*re + im*im < 4.0:
        t = re*re - im*im + c_re
        im = 2.0*re*im + c_im
        re = t
        k += 1
    count[i] = k
