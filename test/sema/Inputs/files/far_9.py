far = 1
