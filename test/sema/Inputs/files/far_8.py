from far_9 import far
