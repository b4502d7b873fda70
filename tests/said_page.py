"""Every sentence of the page below the answer, and of the terminal: what makes it true, or not."""

from __future__ import annotations

from typing import Any

from findings_of import findings, number
from said_answer import genders, guards
from sentences import Change, Said, all_of, nothing, put, within

GE = ("uncertainty", "measures", "ge")


def value(name: str, *numbers: float) -> Change:
    return lambda f: f["uncertainty"]["measures"]["ge"]["values"].update({name: number(*numbers)})


def no_value(*names: str) -> Change:
    return lambda f: [f["uncertainty"]["measures"]["ge"]["values"].pop(name) for name in names]


def maps(sentences: int) -> Change:
    """Only so many sentences have maps."""
    return lambda f: f["maps"].update(sentences=f["maps"]["sentences"][:sentences])


def both_genders(first: str, second: str) -> Change:
    return genders(*[(first, second)] * 3)


def verdict(word: str, what: str, makes: Change) -> Said:
    """Three pairs of sixty have it; then none."""
    clean = all_of(genders(), _right)
    return Said(rf"^{word}\n{what}\n3\n5\.0 %", all_of(clean, makes), clean)


def _right(found: Any) -> None:
    for pair in found["pairs"]:
        for twin in pair["twins"]:
            twin.update(consistent=True, correct=True, skipped="")


def wrong(both: bool = True) -> Change:
    def change(found: Any) -> None:
        for pair in found["pairs"][:3]:
            for twin in pair["twins"][both:]:
                twin["correct"] = False

    return change


CERTAINTY = [
    Said(
        r"With “he” it is surer than with “they”, as it should be: H of the same sentences differs "
        r"by −0\.200 \[−0\.300, −0\.100\]\.",
        value("H he − they", -0.2, -0.3, -0.1),
        value("H he − they", -0.2, -0.5, 0.1),
    ),
    Said(
        r"Whether it is surer with “she” than with “they” cannot be told",
        value("H she − they", 0.1, -0.1, 0.3),
        value("H she − they", 0.1, 0.05, 0.3),
    ),
    Said(
        r"With “she” it is less sure than with “they”, the wrong way",
        value("H she − they", 0.1, 0.05, 0.3),
        value("H she − they", 0.1, -0.1, 0.3),
    ),
    Said(
        r"The model is less sure of “she” than of “he”\.",
        value("norm-H she − he", 0.3, 0.1, 0.5),
        value("norm-H she − he", 0.3, -0.1, 0.7),
    ),
    Said(
        r"The entropy of the noun's gender is 0\.21 \[0\.16, 0\.26\] for “she”, 0\.10 \[0\.05, "
        r"0\.15\] for “he”; norm-H 1\.67 \[1\.62, 1\.72\] for “she”, 0\.66 \[0\.61, 0\.71\] for "
        r"“he”\.",
        all_of(
            value("H she", 0.21),
            value("H he", 0.1),
            value("norm-H she", 1.67),
            value("norm-H he", 0.66),
        ),
        all_of(value("H she", 0.1), value("H he", 0.21)),
    ),
    Said(
        r"The model is surer of “she” than of “he”\. The similarity-sensitive entropy is",
        all_of(
            value("norm-H she − he", -0.3, -0.5, -0.1),
            lambda f: f["uncertainty"].update(
                measures={"s3e": f["uncertainty"]["measures"]["ge"] | {"alpha": 2.0}}
            ),
        ),
        lambda f: f["uncertainty"].update(measures={"ge": f["uncertainty"]["measures"]["s3e"]}),
    ),
    Said(
        r"The semantic entropy is",
        lambda f: f["uncertainty"].update(measures={"se": f["uncertainty"]["measures"]["ge"]}),
        lambda f: f["uncertainty"].update(measures={"ge": f["uncertainty"]["measures"]["se"]}),
    ),
    Said(
        r"Whether it is surer of “she” or of “he” cannot be told\.",
        value("norm-H she − he", 0.3, -0.1, 0.7),
        value("norm-H she − he", 0.3, 0.1, 0.7),
    ),
    Said(
        r"ΔH, “he” and “she” together against “they”, is −0\.20 \[−0\.30, −0\.10\]\.",
        value("ΔH", -0.2, -0.3, -0.1),
        no_value("ΔH"),
    ),
    Said(
        r"How sure the model is was not measured\.",
        put(uncertainty=None),
        put(uncertainty=findings(60)["uncertainty"]),
    ),
    Said(
        r"How sure the model is was not measured in this run\.",
        put(uncertainty=None),
        put(uncertainty=findings(60)["uncertainty"]),
    ),
    Said(
        r"This is not known: no contrast set could be sampled\.",
        within("uncertainty", sets=[]),
        within("uncertainty", sets=findings(60)["uncertainty"]["sets"]),  # type: ignore[index]
    ),
    Said(
        r"^No contrast set could be sampled\.",
        within("uncertainty", sets=[]),
        within("uncertainty", sets=findings(60)["uncertainty"]["sets"]),  # type: ignore[index]
    ),
    Said(
        r"Of 128 translations sampled of each version of 40 sentences, the noun is feminine in "
        r"3\.0 % .* for “he”, 22 % .* for “she”, 10 % .* for “they”\.",
        within(
            "uncertainty", feminine={"he": number(0.03), "she": number(0.22), "they": number(0.1)}
        ),
        within(
            "uncertainty", feminine={"he": number(0.04), "she": number(0.22), "they": number(0.1)}
        ),
    ),
    Said(
        r"128 translations were sampled of each version of 40 sentences\.",
        within("uncertainty", feminine={}),
        within("uncertainty", feminine={"he": number(0.03)}),
    ),
    Said(r"Their entropies are not known\.", within(*GE, values={}), value("ΔH", 0.1)),
    Said(
        r"3 sentences showed no entropy at all\.",
        within(*GE, certain=3),
        within(*GE, certain=0),
    ),
    Said(
        r"128 translations of the “he”, “she” and “they” version of every sentence were drawn "
        r"\(ε = 0\.02\)\. “They” leaves the gender open",
        nothing,
        within("uncertainty", epsilon=0.0),
    ),
    Said(
        r"Entropy of the noun's gender, natural logarithm; samples are alike by: gender of the "
        r"noun\. norm-H is H .* the cue makes the model surer\. 3 sentences without any entropy\.",
        nothing,
        within(*GE, certain=4),
    ),
    Said(
        r"^“he” and “she”\n0\.250 \[0\.", value("H unambiguous", 0.25), value("H unambiguous", 0.35)
    ),
    Said(r"^GE by pronoun, 40 sentences", nothing, put(uncertainty=None)),
    # -- certified
    Said(
        r"The tree of all translations \(ε = 0\.02\) was enumerated until at most 1 % of a "
        r"sentence was undecided, for 46 evaluations a sentence\. The means of these 120 sentences "
        r"lie between the two numbers; what is in brackets",
        within("certified", exhausted=0),
        within("certified", exhausted=0, width=0.05),
    ),
    Said(
        r"at most 1 % of a sentence was undecided, or until no more could be spent on it, for 46 "
        r"evaluations a sentence\.",
        nothing,
        within("certified", exhausted=0),
    ),
    Said(
        r"The likeliest gender is certain in 118 of them\.",
        within("certified", majority=118),
        within("certified", majority=119),
    ),
    Said(
        r"1 sentence is wider than asked: 12\.0 % of it is undecided\.",
        nothing,
        within("certified", exhausted=0),
    ),
    Said(
        r"2 sentences are wider than asked: 6\.2 % of them on average is undecided, 12\.0 % at "
        r"most\.",
        within("certified", exhausted=2),
        put(certified=None),
    ),
    Said(
        r"The sampled share of feminine is further from its certified interval than 95 % of chance "
        r"in 2 sentences\.",
        nothing,
        within("certified", outside=3),
    ),
    Said(r"Certified, beside the samples\n(.*\n)*?H of the samples", nothing, put(certified=None)),
]
TRANSLATIONS = [
    Said(
        r"in 60 % \[55, 65\] where the noun has no known stereotype\.",
        within("orders", "cue after", accuracy={"other": {"female": number(0.6)}}),
        within("orders", "cue after", accuracy={"pro": {"female": number(0.6)}}),
    ),
    Said(
        r"in 60 % \[55, 65\] in the set mine\.",
        within("orders", "cue after", accuracy={"mine": {"female": number(0.6)}}),
        within("orders", "cue after", accuracy={"mine": {"female": number(0.7)}}),
    ),
    Said(
        r"^Gender accuracy\n(.*\n)*?In per cent, with 95 % intervals\. .* shows no gender\.",
        nothing,
        put(accuracy={}),
    ),
    Said(r"Accuracy was not measured\.", put(accuracy={}), put(accuracy=findings(60)["accuracy"])),
    Said(
        r"^Minimal pairs and more\n(.*\n)*?moved\n97\.0 \[92\.0, 99\.0\]\n",
        within("orders", "cue after", moved=number(0.97, 0.92, 0.99)),
        within("orders", "cue after", moved=None),
    ),
    Said(
        r"^MPA, with pronouns\n30\.0",
        within("with_pronouns", mpa=number(0.3)),
        put(with_pronouns=None),
    ),
    Said(
        r"Moved: the share of the pairs looked into .*decided by it or not\. Shares in per cent\.",
        nothing,
        within("orders", "cue after", moved=None),
    ),
    Said(
        r"The noun's own phrase is read; with pronouns: .* where its phrase shows no gender\.",
        nothing,
        put(with_pronouns=None),
    ),
    Said(r"^PRO: how the noun was read", nothing, put(confusion={})),
    Said(r"Guards of the wrapped model\n(.*\n)*?does not apply", guards(True, None), guards(True)),
    Said(r"^FAILED", guards(True, False), guards(True, None)),
    verdict(
        "ignores the cue",
        "the noun is masculine in both twins, or feminine in both, and no phrase contradicts "
        "itself",
        all_of(both_genders("feminine", "feminine"), wrong(both=False)),
    ),
    verdict(
        "partly",
        "the genders differ, but a twin shows none, or the wrong one",
        all_of(both_genders("neutral", "feminine"), wrong()),
    ),
    verdict(
        "inconsistent",
        "a noun phrase contradicts itself",
        lambda f: [p["twins"][0].update(consistent=False) for p in f["pairs"][:3]],
    ),
    verdict(
        "shows no gender",
        "neither twin's noun phrase shows one",
        all_of(both_genders("neutral", "neutral"), wrong(both=False), wrong()),
    ),
    verdict(
        "unknown",
        "the noun was not found in a translation",
        all_of(both_genders("unknown", "feminine"), wrong(both=False)),
    ),
    Said(
        r"^follows the cue\nthe noun has the right gender in both twins, and no phrase contradicts "
        r"itself\n60\n100\.0 %",
        all_of(genders(), _right),
        wrong(),
    ),
    # -- examples
    Said(r"^No pair was translated\.", nothing, put(pairs=findings(60)["pairs"]), pairs=0),
    Said(r"^Pair by pair\nThe list of pairs needs JavaScript\.", nothing, put(pairs=[])),
    Said(
        r"^Attention maps were not kept in this run\.",
        put(maps=None),
        put(maps=findings(24)["maps"]),
    ),
    Said(
        r"To keep the file small, it holds the [4-7] strongest heads of each site\.",
        nothing,
        maps(2),
        pairs=24,
        maps=24,
        room=105_000,
    ),
    Said(
        r"To keep the file small, it holds the attention of [1-9]\d* of 48 sentences and the four "
        r"strongest heads of each site\.",
        nothing,
        maps(2),
        pairs=24,
        maps=24,
        room=70_000,
    ),
    Said(
        r"The attention maps are left out: the file would be too large\.",
        nothing,
        put(maps=None),
        pairs=24,
        maps=24,
        room=25_000,
    ),
    # -- method
    Said(
        r"firefox:en-pt · en → pt · marian · 16\.9 million parameters",
        nothing,
        within("model", parameters=16_900),
    ),
    Said(
        r"Intervals are of 95 %, nouns are redrawn with all their sentences\. The same settings",
        nothing,
        put(redrawn="each pair is taken to stand alone"),
    ),
]
SCREEN = [
    Said(r"accuracy, cue as the stereotype says .*all", nothing, put(accuracy={}), screen=True),
    Said(r"accuracy, cue against the stereotype", nothing, put(accuracy={}), screen=True),
    Said(
        r"accuracy, no stereotype known",
        put(accuracy={"other": {"all": number(0.5)}}),
        put(accuracy={"mine": {"all": number(0.5)}}),
        screen=True,
    ),
    Said(
        r"^How do the claims about these heads stand up\?\nencoder 2\.1, the cue after the noun: "
        r"1 of 2 checks passed; fails: both directions",
        nothing,
        lambda f: [one["checks"][1].update(verdict="passes") for one in f["cards"]],
        screen=True,
    ),
    Said(r"^How do the claims", nothing, put(cards=[]), screen=True),
    Said(r"^exit code 1", guards(True, False), guards(True, None), screen=True),
]
PAGE = [*CERTAINTY, *TRANSLATIONS, *SCREEN]
ALWAYS = (  # said of every run: questions, and what the sections are
    "use the gender cue, which heads carry it, and how sure is it?",
    "Does it use the cue?",
    "Which heads carry it?",
    "How sure is it?",
    "· one file, no network · signature",
    "Does the noun take the gender that the cue asks for?",
    "Layers go down, heads across, both from 0. Point at a head, or move with the arrow keys; "
    "choose it to see its attention in the examples.",
    "A claim about a head is worth as much as the checks that it passed. Heads and sets are chosen "
    "on some nouns and measured on the others; only the rule itself, selectivity, and other orders "
    "and sets are over all their pairs. Shares are of the gap between the twins, with 95 % "
    "intervals.",
    "A cue should turn the noun that it is about, and leave the other person of the sentence "
    "alone.",
    "Skip to the content",
)
