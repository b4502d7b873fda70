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
    beam: Annotated[int, typer.Option(help="Width of the beam; 1 is greedy.", min=1, max=1024)] = 1,
    batch_size: Annotated[int, typer.Option(help="Hypotheses computed together.", min=1)] = 64,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="Leave lines without a translation that cannot have one; name them."
        ),
    ] = False,
    model: ModelOptions,
) -> None:
    """Translate a file, one sentence per line.

    Writes `source ||| translation` lines to --out, which `cuescope score`
    reads; the time, and how many were cut off at the length limit, go to the
    error stream.

    Example: cuescope translate firefox:en-pt --in FILE --out FILE
    """
    from cuescope.errors import CueScopeError
    from cuescope.files import at, read_lines, read_sentences, write

    sentences = read_lines(in_) if skip_bad else read_sentences(in_)
    for line, sentence in enumerate(sentences):
        if "|||" in sentence and not skip_bad:
            raise CueScopeError(
                f"{at(in_, line)}: holds the separator of the output",
                expected="plain sentences",
                found="|||",
                do="give the sources alone",
            )
    mt = model.open()
    fit = list(range(len(sentences)))
    if skip_bad:
        reasons = [
            "holds the separator |||" if "|||" in text else mt.unfit(text) for text in sentences
        ]
        fit = [line for line, reason in enumerate(reasons) if not reason]
        for line, reason in enumerate(reasons):
            if reason:
                typer.echo(f"skipped: {at(in_, line)}: {reason}", err=True)
    began = time.perf_counter()
    with progress("translating", len(fit)) as done:
        some = [sentences[line] for line in fit]
        found = mt.generate(some, beam=beam, batch_size=batch_size, progress=done) if some else []
    seconds = time.perf_counter() - began
    made = {line: mt.tokenizer.decode(best.ids) for line, best in zip(fit, found, strict=True)}
    lines = enumerate(text.replace("|||", " ") for text in sentences)
    write(out, "".join(f"{text} ||| {made.get(line, '')}\n" for line, text in lines))
    cut = sum(not best.finished for best in found)
    typer.echo(
        f"{len(found):,} sentences in {seconds:.1f} s ({len(found) / seconds:.0f} per second)"
        + (f"; {cut} cut off at the length limit" if cut else ""),
        err=True,
    )
