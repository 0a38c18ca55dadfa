def fine(x):
    return x

    def
  oddly = "indented
