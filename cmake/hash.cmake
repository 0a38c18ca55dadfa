# cmake -DFILE=x -P hash.cmake: writes x's SHA-256, 64 letters without a newline, to x.hash.
file(SHA256 ${FILE} hash)
file(WRITE ${FILE}.hash "${hash}")
