typedef int ir_int;
