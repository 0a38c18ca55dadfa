"""arrays.py FOLDER: small array files, which the fuzz target for them begins with."""
import io
import sys
import zipfile

import numpy as np


def saved(save, *arrays, **named):
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


def wide():
    file, zipfile.ZIP64_LIMIT = io.BytesIO(), 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("x.npy", saved(np.save, np.zeros(40)))
    return file.getvalue()


x = np.arange(6.0).reshape(2, 3)
records = np.zeros(3, np.dtype([("a", "f8"), ("b", "i4", (2,))], align=True))
seeds = {"float64": saved(np.save, x), "bool": saved(np.save, x > 2), "records": saved(np.save, records),
         "several": saved(np.save, x) + saved(np.save, x.astype("i2")), "stored": saved(np.savez, x=x, r=records),
         "deflated": saved(np.savez_compressed, x=x, y=np.zeros(1000)), "wide": wide()}
for name, data in seeds.items():
    with open(f"{sys.argv[1]}/{name}", "wb") as f:
        f.write(data)
