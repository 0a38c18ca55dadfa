from held_b import B
@struct
class A:
    x: 'double'
    b: B
