ROW(cpl_known, known, NULL, false),
SAME(cpl_held, 4);
