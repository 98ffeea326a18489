"""Arrays out of whatever a user gives."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError

Number = TypeVar("Number", bound=np.generic)


def check_array(name: str, values: Any) -> NDArray[Any]:
    """Return anything as an array, if it can be one."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name} cannot be made an array: {str(error).splitlines()[0]}") from None


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Return an array that cannot be written, without copying it: a view, so that the owner of the array still can."""
    view = array.view()
    view.flags.writeable = False
    return view
