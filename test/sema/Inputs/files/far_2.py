from far_3 import far
