from held_a import A
@struct
class B:
    y: 'double'
    a: A
