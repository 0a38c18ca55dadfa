from far_4 import far
