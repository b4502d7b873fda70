"""How long does it take to score 3,888 translations, alignment training included? (limit: 20 s)

python probes/bench_score.py [--lang it]
"""

from __future__ import annotations

import argparse
import time

LIMIT = 20.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", default="it", help="one of Google's languages: de es fr it ru uk")
    lang = parser.parse_args().lang
    begin = time.perf_counter()
    from cuescope.data import reference
    from cuescope.run.score import score

    loaded = time.perf_counter()
    outputs = {"reg": reference.find("translations", "google", f"en-{lang}.txt")}
    result = score("winomt", outputs, lang)
    made = result.to_json()
    end = time.perf_counter()
    print(f"import {loaded - begin:.1f} s, score {end - loaded:.1f} s (limit {LIMIT:.0f} s)")
    print(f"{made['sets']['reg']['n']} sentences, {result.accuracy('reg')['all']}")
    if end - begin > LIMIT:
        raise SystemExit("too slow")


if __name__ == "__main__":
    from cuescope.errors import in_words

    in_words(main)
