"""Where the heads of a translation model are; no torch."""

from __future__ import annotations

SITES = {  # and what each is called
    "encoder": "encoder",
    "cross": "cross-attention",
    "decoder": "decoder self-attention",
}
