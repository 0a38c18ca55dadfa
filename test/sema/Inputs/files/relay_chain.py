from constants import GRAVITY

chain_8 = GRAVITY + 1
