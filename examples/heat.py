# One step of heat flow on a grid of rows of the given width, whose border keeps its temperature.
# cplc run examples/heat.py old=old.npy new=new.npy width=512 rate=0.2 --out new=new.npy
def heat(i, old, new, width, rate):
    row = i // width
    column = i % width
    if row == 0 or row == len(old) // width - 1 or column == 0 or column == width - 1:
        new[i] = old[i]
        return
    new[i] = old[i] + rate*(old[i - 1] + old[i + 1] + old[i - width] + old[i + width] - 4*old[i])
