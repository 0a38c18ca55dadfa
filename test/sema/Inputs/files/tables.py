WEIGHTS = (1.5, 2.5, 3.5)
CORNERS = [[0, 1], [2, 3]]
OTHER = (1.0, unknown)
