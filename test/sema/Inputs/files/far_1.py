from far_2 import far
