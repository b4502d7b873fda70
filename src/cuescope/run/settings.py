"""The settings of a run: the same for Python, the command line and a YAML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_origin, get_type_hints

from cuescope.errors import CueScopeError
from cuescope.files import read_lines
from cuescope.files.documents import short, yaml_of
from cuescope.measures.parts import MEASURES
from cuescope.models.sites import SITES
from cuescope.run.stages import NAMES


class _Kind(Protocol):
    """Settings of whatever kind: a frozen dataclass with a folder."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def folder(self) -> Path: ...


S = TypeVar("S", bound=_Kind)
_MODELS = (("similarity", "s3e"), ("equivalence", "se"))  # each asked by one measure alone
ENGINES = ("serial", "processes", "ray")
_RENAMED = {"gradient": "attribution"}


def say(default: Any, told: str, **more: Any) -> Any:
    """A setting with its default and what it means; `least`, `most` and `known` bound it."""
    return field(default=default, metadata={"told": told, **more})


@dataclass(frozen=True)
class Settings:
    """What to investigate, and how much of it.

    >>> Settings("firefox:en-pt", samples=64).quick().limit
    60
    """

    model: str = field(metadata={"told": "firefox:en-pt, argos:zh-en, a folder, or a hub name"})
    data: str = say("simplegen", "simplegen (shipped), winomt:DIR, or a .tsv / .jsonl file")
    out: str | None = say(None, "folder of the run [artifacts/MODEL-DATA]")
    lang: str | None = say(None, "target language, if the model does not say")
    src: str | None = say(None, "source language, for models of many languages")
    tgt: str | None = say(None, "target language, for models of many languages")
    device: str = say("cpu", "where to compute: cpu, cuda, mps")
    threads: int = say(0, "CPU threads; 0: as many as are fastest now", least=0, most=1024)
    limit: int = say(0, "pairs to translate, drawn at random from all; 0: all", least=0)
    heads: int = say(240, "pairs on which the heads are measured", least=1)
    sites: tuple[str, ...] = say(
        tuple(SITES), "where the heads are, as far as the model has them", known=tuple(SITES)
    )
    sets: int = say(80, "contrast sets (he / she / they) that are sampled", least=1)
    samples: int = say(128, "samples of each sentence of a contrast set", least=2, most=1_000_000)
    epsilon: float = say(0.02, "tokens less likely than this are not sampled", least=0)
    exact: float = say(
        0.01, "width of the certified P(gender) of each sentence; 0: not enumerated", least=0
    )
    measures: tuple[str, ...] = say(("ge",), "measures of uncertainty", known=tuple(MEASURES))
    similarity: str = say(
        "intfloat/multilingual-e5-base", "for s3e: use, chars, or a sentence-transformers model"
    )
    equivalence: str = say(
        "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli", "for se: an NLI model, or normalised"
    )
    examples: int = say(24, "pairs whose attention maps are in the report", least=0)
    transfer: tuple[str, ...] = say(
        (), "folders of other runs of the model, in which the cards look its heads up"
    )
    seed: int = say(0, "of the samples", least=0, most=2**63 - 1)
    engine: str = say(
        "", "who computes: serial, processes, ray; processes if there are several workers"
    )
    workers: int = say(
        0,
        "processes that compute, one thread each; 0: one a core, if an engine is named",
        least=0,
        most=4096,
    )
    ray: str | None = say(None, "address of a Ray cluster that computes, or auto")
    only: tuple[str, ...] = say((), "stages to run; empty: all", known=NAMES)
    skip_bad: bool = say(False, "skip rows that cannot be read or translated, and name them")

    def __post_init__(self) -> None:
        check(self)
        if not self.exact < 1:
            raise _wrong("exact", "a width below 1; 0: not enumerated", self.exact)
        if not self.epsilon < 1:
            raise _wrong("epsilon", "a probability below 1", self.epsilon)
        if self.engine and self.engine not in ENGINES:
            raise _wrong("engine", f"one of {', '.join(ENGINES)}", self.engine)
        if self.engine == "serial" and self.workers > 1:
            raise _wrong("workers", "1 with the engine serial", self.workers)
        if self.ray and self.engine not in ("", "ray"):
            raise _wrong("ray", f"no cluster with the engine {self.engine}", self.ray)
        for name in ("sites", "measures"):
            if not getattr(self, name):
                raise _wrong(name, "at least one", "none")

    @property
    def on(self) -> str:
        """The engine: as it is named, or as the number of workers tells."""
        several = "processes" if self.workers > 1 else "serial"
        return self.engine or ("ray" if self.ray else several)

    def quick(self) -> Settings:
        """The same, small enough for a first look in a minute."""
        return replace(self, limit=60, heads=30, sets=16, samples=32, examples=8)

    def numbers(self) -> dict[str, object]:
        """The settings on which numbers depend, as a signature names them."""
        names = ("limit", "heads", "sites", "sets", "samples", "epsilon", "exact", "measures")
        used = [name for name, one in _MODELS if one in self.measures]
        chosen = {name: getattr(self, name) for name in (*names, *used, "seed")}
        return {n: "+".join(v) if isinstance(v, tuple) else v for n, v in chosen.items()}

    @property
    def folder(self) -> Path:
        """Where the run is kept."""
        if self.out is not None:
            return Path(self.out)
        name = f"{self.model}-{Path(self.data.partition(':')[0]).stem}"
        return Path("artifacts") / name.strip("/.").replace(":", "-").replace("/", "-")

    def to_json(self) -> dict[str, Any]:
        """As plain JSON: all that bears on the numbers."""
        idle = {"engine", "workers", "ray", "out", "threads", "only", "transfer", "skip_bad"} | {
            name for name, measure in _MODELS if measure not in self.measures
        }
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if name not in idle and value is not None
        }


def check(settings: Any) -> None:
    """Raise unless every setting is within what it says of itself."""
    for one in fields(settings):
        least, known = one.metadata.get("least"), one.metadata.get("known")
        value = getattr(settings, one.name)
        most = one.metadata.get("most")
        if least is not None and not value >= least:  # NaN is no number of anything
            raise _wrong(one.name, f"{least} or more", value)
        if most is not None and value > most:
            raise _wrong(one.name, f"{most:,} or less", value)
        if known and (unknown := [name for name in value if name not in known]):
            raise _wrong(one.name, "of " + ", ".join(known), ", ".join(unknown), _now(unknown))


def load(path: str | Path) -> list[Settings]:
    """The runs of a YAML file: its settings, or one run for each entry of its `runs`."""
    return made(path, entries(path), Settings)


def entries(path: str | Path) -> list[dict[str, Any]]:
    """What a YAML file says, a dictionary for each run; nothing of it is checked yet."""
    given = yaml_of("\n".join(read_lines(path)), str(path))
    if not isinstance(given, dict):
        raise CueScopeError(
            f"{path} holds no settings",
            expected="`name: value` on each line, as `model: firefox:en-pt`",
            found=type(given).__name__,
        )
    given.pop("$schema", None)
    runs = given.pop("runs", [{}])
    if not isinstance(runs, list) or not runs or not all(isinstance(one, dict) for one in runs):
        raise CueScopeError(f"{path}: runs", expected="a list of settings", found=short(runs))
    return [{**given, **one} for one in runs]


def made(path: str | Path, given: Sequence[Mapping[str, Any]], kind: type[S]) -> list[S]:
    """Settings of one kind, each with a folder of its own."""
    found = [_made(str(path), one, kind) for one in given]
    folders = [one.folder for one in found]
    if twice := {str(one) for one in folders if folders.count(one) > 1}:
        raise CueScopeError(
            f"{path}: two runs in one folder", found=", ".join(twice), do="give each its own `out`"
        )
    return found


def _made(path: str, given: Mapping[str, Any], kind: type[S]) -> S:
    known = {one.name: one for one in fields(kind)}
    for name in given:
        if name not in known:
            raise CueScopeError(
                f"{path}: no setting {short(name)}",
                expected=", ".join(known),
                found=short(name),
                do="see `cuescope run --schema`",
            )
    for name, one in known.items():
        if one.default is MISSING and name not in given:
            raise CueScopeError(
                f"{path}: which {name}?", expected=f"{name}: NAME", found=f"no {name}"
            )
    hints = get_type_hints(kind)
    values = {name: _typed(path, name, hints[name], value) for name, value in given.items()}
    try:
        return kind(**values)
    except CueScopeError as error:
        raise CueScopeError(
            f"{path}: {error.what}", expected=error.expected, found=error.found, do=error.do
        ) from None


def _typed(path: str, name: str, hint: Any, value: Any) -> Any:
    """The value if it is of the setting's type."""
    if get_origin(hint) is tuple:
        several = [value] if isinstance(value, str) else value
        if isinstance(several, Sequence) and all(isinstance(one, str) for one in several):
            return tuple(several)
        raise CueScopeError(f"{path}: {name}", expected="a list of names", found=short(value))
    allowed = tuple(get_args(hint)) or (hint,)
    if float in allowed:
        allowed = (*allowed, int)
    if isinstance(value, bool) != (bool in allowed) or not isinstance(value, allowed):
        names = " or ".join(_WORDS.get(one, str(one)) for one in allowed if one is not type(None))
        raise CueScopeError(f"{path}: {name}", expected=names, found=short(value))
    return value


_WORDS = {str: "text", int: "a whole number", float: "a number"}
_JSON = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def schema_of(kind: type[_Kind], **named: str) -> dict[str, Any]:
    """The JSON schema of a YAML file of settings of one kind; `named`: what such a file must say
    besides, as `audit: speed`, at its head or in each of its runs."""
    hints = get_type_hints(kind)
    said = {name: {"const": value} for name, value in named.items()}
    own = {one.name: dict(_schema_of(one, hints[one.name])) for one in fields(kind)}
    one_run = {"type": "object", "additionalProperties": False, "properties": {**said, **own}}
    runs = {"type": "array", "minItems": 1, "items": one_run, "description": "one run for each"}
    link = {"type": "string", "description": "this schema"}
    needed = [one.name for one in fields(kind) if one.default is MISSING]
    each = {"runs": {"items": {"required": [*named]}}}
    whole = [{"required": [*named, *needed]}, {"required": [*named, "runs"]}]
    apart = [{"required": ["runs"], "properties": each}] if named else []
    properties = {"$schema": link, **said, **own, "runs": runs}
    return {**one_run, "properties": properties, "anyOf": [*whole, *apart]}


def _schema_of(one: Field[Any], hint: Any) -> Iterator[tuple[str, Any]]:
    yield "description", one.metadata["told"]
    if get_origin(hint) is tuple:
        yield "type", "array"
        known = one.metadata.get("known")
        yield "items", {"enum": list(known)} if known else {"type": "string"}
        yield "uniqueItems", True
    else:
        kinds = [_JSON[kind] for kind in get_args(hint) or (hint,)]
        yield "type", kinds[0] if len(kinds) == 1 else kinds
    if (least := one.metadata.get("least")) is not None:
        yield "minimum", least
    if (most := one.metadata.get("most")) is not None:
        yield "maximum", most
    if one.default is not MISSING:
        yield "default", list(one.default) if isinstance(one.default, tuple) else one.default


def _now(unknown: Sequence[str]) -> str:
    """What is to be done about names of former releases."""
    return ", ".join(f"write {_RENAMED[n]} for {n}" for n in unknown if n in _RENAMED)


def _wrong(name: str, expected: str, found: object, do: str = "") -> CueScopeError:
    return CueScopeError(f"{name} out of range", expected=expected, found=str(found), do=do)
