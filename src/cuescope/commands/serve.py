"""cuescope serve: a live page on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from cuescope.commands.groups import grouped
from cuescope.commands.options import ModelOptions


@grouped
def serve(
    *,
    port: Annotated[
        int, typer.Option(help="Of 127.0.0.1; 0 takes any that is free.", min=0, max=65535)
    ] = 0,
    lang: Annotated[
        str | None, typer.Option(help="Target language, if the model does not say it.")
    ] = None,
    text: Annotated[
        str, typer.Option(help="The sentence to begin with.")
    ] = "The mechanic called because she was late.",
    model: ModelOptions,
) -> None:
    """A live page: type a sentence, swap the pronoun, turn a head up or off.

    Prints an address with a token and serves until Ctrl-C. Only this machine
    can reach it, and only with the token; nothing is sent anywhere else.

    Example: cuescope serve firefox:en-pt
    """
    from cuescope.inside.ready import target_language
    from cuescope.inside.translator import Translator
    from cuescope.show.live.page import serving

    mt = Translator.of(model.open())
    target_language(mt, lang)  # an error before the page, not in it
    with serving(mt, port=port, lang=lang, first=text) as server:
        typer.echo(f"open {server.url}")
        typer.echo("Ctrl-C ends it", err=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("ended", err=True)
