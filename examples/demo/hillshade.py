from math import sqrt


def hillshade(i, z, shade, width, height, dx, dy, sun_x, sun_y, sun_z):
    """Light that a point of the grid z reflects: the cosine between the ground's normal and the sun's direction.

    The slope is Horn's weighted difference over the 8 neighbours; the grid's edge repeats outwards. Rows run from north to
    south, x points east, y north.
    """
    row = i // width
    col = i % width
    west = max(col - 1, 0)
    east = min(col + 1, width - 1)
    north = max(row - 1, 0)*width
    south = min(row + 1, height - 1)*width
    here = row*width

    rise_x = z[north + east] + 2*z[here + east] + z[south + east] - z[north + west] - 2*z[here + west] - z[south + west]
    rise_y = z[north + west] + 2*z[north + col] + z[north + east] - z[south + west] - 2*z[south + col] - z[south + east]
    slope_x = rise_x/(8.0*dx)
    slope_y = rise_y/(8.0*dy)

    light = (sun_z - slope_x*sun_x - slope_y*sun_y)/sqrt(1.0 + slope_x*slope_x + slope_y*slope_y)
    shade[i] = max(light, 0.0)
