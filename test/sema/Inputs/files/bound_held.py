SIDE = 2
HALF = 0.5


@struct
class Held:
    a: 'double'

    def total(self):
        return self.a + SIDE
