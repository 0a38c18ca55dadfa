typedef int ir;
