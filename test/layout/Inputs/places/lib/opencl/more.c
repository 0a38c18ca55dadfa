WORD(erf)
