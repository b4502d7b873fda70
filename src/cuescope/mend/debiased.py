"""Hard-debiasing of embeddings (paper B) as a mend: professions lose the gender direction.

It takes away what the noun itself suggests, and adds nothing of the cue: a control beside the
kinds that make the cue heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from cuescope.inside.edit.debias import debias
from cuescope.mend.mend import Mend

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.models.translator import Translator


def debiased(mt: Translator) -> Mend:
    """The professions of the project's list without their part along he–she, as a mend."""
    return Mend.of(mt, "debiased", {})


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[Any]:
    """Professions neutralised for as long as the `with`; text without one stays as it was."""
    return debias(mt, must_meet=False)
