ROW(cpl_known, known, NULL, false),
