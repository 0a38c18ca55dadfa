import steps


@struct
class Box:
    corner: steps.Particle
    size: 'matrix(3)'
