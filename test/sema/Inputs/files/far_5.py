from far_6 import far
