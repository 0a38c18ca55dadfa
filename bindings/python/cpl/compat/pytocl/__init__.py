"""pytocl's interface: functions described by their arguments, with buffers that stay on a device.

    from cpl.compat.pytocl import *

    def parallel_add(a, b, output):
        i = get_global_id(0)
        output[i] = a[i] + b[i]

    a, b, output = (CLArgDesc(CLArgType.float32_array, array_size=16) for _ in range(3))
    add = CLFunc(CLFuncDesc(parallel_add, (16,)).arg(a).copy_in().arg(b).copy_in()
                 .arg(output, is_readonly=False).copy_out()).compile()
    add(x, y, z)

Locals have the types that their names say: i, j, k and i_... are int32, b_... bool, others float32.
"""

from .descriptors import CLArgDesc, CLArgType, CLFuncDesc
from .function import CLFunc, func_to_kernel
from .names import (
    get_global_id, get_global_size, get_group_id, get_local_id, get_local_size, get_num_groups,
)

__all__ = [
    "CLArgDesc", "CLArgType", "CLFunc", "CLFuncDesc", "func_to_kernel", "get_global_id",
    "get_global_size", "get_group_id", "get_local_id", "get_local_size", "get_num_groups",
]
