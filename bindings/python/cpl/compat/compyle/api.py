"""All public names, in one place."""

from .array import Array, wrap
from .ast_utils import (
    get_assigned, get_symbols, get_unknown_names_and_calls, has_node, has_return,
)
from .config import Config, get_config, set_config, use_config
from .cython_generator import CythonGenerator, get_func_definition
from .ext_module import ExtModule
from .extern import Extern
from .low_level import Cython, Kernel, LocalMem, cast
from .parallel import Elementwise, Reduction, Scan, elementwise
from .profile import (
    ProfileContext, get_profile_info, named_profile, print_profile, profile, profile2csv,
    profile_ctx, profile_kernel,
)
from .translator import (
    CConverter, CStructHelper, OpenCLConverter, detect_type, ocl_detect_type, py2c,
)
from .types import KnownType, annotate, declare
from .utils import ArgumentParser

__all__ = [
    "ArgumentParser", "Array", "CConverter", "CStructHelper", "Config", "Cython",
    "CythonGenerator", "Elementwise", "ExtModule", "Extern", "Kernel", "KnownType", "LocalMem",
    "OpenCLConverter", "ProfileContext", "Reduction", "Scan", "annotate", "cast", "declare",
    "detect_type", "elementwise", "get_assigned", "get_config", "get_func_definition",
    "get_profile_info", "get_symbols", "get_unknown_names_and_calls", "has_node", "has_return",
    "named_profile", "ocl_detect_type", "print_profile", "profile", "profile2csv", "profile_ctx",
    "profile_kernel", "py2c", "set_config", "use_config", "wrap",
]
