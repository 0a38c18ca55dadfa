from far_7 import far
