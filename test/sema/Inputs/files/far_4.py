from far_5 import far
