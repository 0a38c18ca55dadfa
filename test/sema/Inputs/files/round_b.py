from round_a import circle, LOOP as THERE

LOOP = THERE + 1
