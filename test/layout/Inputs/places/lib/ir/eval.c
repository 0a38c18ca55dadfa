case IR_ERF: *out = erf##suffix(a); return true;
