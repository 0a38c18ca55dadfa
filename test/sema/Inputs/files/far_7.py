from far_8 import far
