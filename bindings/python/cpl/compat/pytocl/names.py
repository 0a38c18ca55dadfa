"""Names of work-items, which Python itself has no use for: there all are -1."""

from __future__ import annotations

from cpl import lang


def _place(known: lang.Builtin) -> lang.Builtin:
    return lang.Builtin(known.__cpl_name__, known.__doc__ or "", lambda dimension: -1)


get_global_id = _place(lang.get_global_id)
get_global_size = _place(lang.get_global_size)
get_group_id = _place(lang.get_group_id)
get_local_id = _place(lang.get_local_id)
get_local_size = _place(lang.get_local_size)
get_num_groups = _place(lang.get_num_groups)
