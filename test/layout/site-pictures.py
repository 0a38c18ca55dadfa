# What a browser makes of the site: pages fill their pictures, and a wide one does not spread to the side.
# REQUIRES: markdown, chromium
# RUN: %python -I %root/docs/site.py %t.site --build %build
# RUN: %python %s %chromium %t.site %t.pictures
"""site-pictures.py CHROMIUM SITE OUT: takes pictures of pages, wide and narrow, and looks whether something is on them."""

import os
import subprocess
import sys

import matplotlib.image
import numpy as np

chromium, site, out = sys.argv[1:4]
os.makedirs(out, exist_ok=True)
faults = []


def picture(page, width, height):
    path = os.path.abspath(os.path.join(out, f"{page}-{width}.png"))
    if os.path.exists(path):
        os.remove(path)
    subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}",
                    f"--user-data-dir={os.path.abspath(out)}/profile", f"--screenshot={path}",
                    "file://" + os.path.abspath(os.path.join(site, page + ".html"))], check=True, timeout=100, capture_output=True)
    return matplotlib.image.imread(path)[:, :, :3]


def check(page, width):
    """Text is dark on light, in the upper and in the lower half, beside a side of its own on wide screens."""
    height = 900
    shot = picture(page, width, height)
    grey = shot.mean(axis=2)
    dark = grey < 0.5
    for name, part in (("upper", dark[:height//2]), ("lower", dark[height//2:])):
        if not 0.002 < part.mean() < 0.6:
            faults.append(f"{page} at {width}: {part.mean():.4f} of the {name} half is dark")
    if width > 1000:
        shown = height - 150  # a window's frame may take some of it
        side = shot[height//2:shown, 8]  # the colour of the contents' background
        if np.ptp(side.reshape(-1, 3), axis=0).max() > 0.01 or np.abs(side[0] - shot[shown, width - 5]).max() < 0.01:
            faults.append(f"{page} at {width}: the contents have no side of their own")


for page in ("index", "gallery", "tutorial_python", "language", "c_api"):
    check(page, 1280)
check("index", 420)
print("\n".join(faults))
sys.exit(1 if faults else 0)
