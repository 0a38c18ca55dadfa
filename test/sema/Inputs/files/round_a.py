from round_b import circle, LOOP as BACK

LOOP = BACK + 1
