"""cuescope translate: sentences in, `source ||| translation` out."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from cuescope.commands.groups import grouped
from cuescope.commands.options import OUT, ModelOptions, progress


@grouped
def translate(
    *,
    in_: Annotated[
        str, typer.Option("--in", metavar="FILE", help="One sentence per line; - is stdin.")
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FILE",
            help="`source ||| translation` per line; - is stdout.",
            rich_help_panel=OUT,
        ),
    ] = "-",
    beam: Annotated[int, typer.Option(help="Width of the beam; 1 is greedy.", min=1)] = 1,
    batch_size: Annotated[int, typer.Option(help="Hypotheses computed together.", min=1)] = 64,
    model: ModelOptions,
) -> None:
    """Translate a file, one sentence per line.

    Writes `source ||| translation` lines to --out, which `cuescope score`
    reads; the time, and how many were cut off at the length limit, go to the
    error stream.

    Example: cuescope translate firefox:en-pt --in FILE --out FILE
    """
    from cuescope.errors import CueScopeError
    from cuescope.files import at, read_sentences, write

    sentences = read_sentences(in_)
    for line, sentence in enumerate(sentences):
        if "|||" in sentence:
            raise CueScopeError(
                f"{at(in_, line)}: holds the separator of the output",
                expected="plain sentences",
                found="|||",
                do="give the sources alone",
            )
    mt = model.open()
    began = time.perf_counter()
    with progress("translating", len(sentences)) as done:
        found = mt.generate(sentences, beam=beam, batch_size=batch_size, progress=done)
    seconds = time.perf_counter() - began
    lines = zip(sentences, (mt.tokenizer.decode(best.ids) for best in found), strict=True)
    write(out, "".join(f"{sentence} ||| {translation}\n" for sentence, translation in lines))
    cut = sum(not best.finished for best in found)
    typer.echo(
        f"{len(found):,} sentences in {seconds:.1f} s ({len(found) / seconds:.0f} per second)"
        + (f"; {cut} cut off at the length limit" if cut else ""),
        err=True,
    )
