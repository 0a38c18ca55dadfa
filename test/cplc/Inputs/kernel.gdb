set pagination off
set debuginfod enabled off
set breakpoint pending on
break lines.py:3
run
bt
info symbol $pc
