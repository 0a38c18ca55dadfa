@struct
class Pair:
    x: 'float'
