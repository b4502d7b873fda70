"""One set of links from two directions: the heuristics of Och and Ney, and of Koehn et al."""

from __future__ import annotations

from collections.abc import Callable

Link = tuple[int, int]
Links = frozenset[Link]

_AROUND = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: Links, backward: Links) -> Links:
    """Links found in both directions.

    >>> sorted(intersection(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)})))
    [(0, 0)]
    """
    return forward & backward


def union(forward: Links, backward: Links) -> Links:
    """Links found in either direction."""
    return forward | backward


def grow_diag(forward: Links, backward: Links) -> Links:
    """The intersection, grown by neighbouring links of the union that reach an unlinked word."""
    found, either = set(forward & backward), forward | backward
    rows, columns = {i for i, _ in found}, {j for _, j in found}
    queue = sorted(found)
    while queue:
        grown: list[Link] = []
        for i, j in queue:
            for di, dj in _AROUND:
                link = (i + di, j + dj)
                if link not in either or link in found:
                    continue
                if link[0] not in rows or link[1] not in columns:
                    found.add(link)
                    rows.add(link[0])
                    columns.add(link[1])
                    grown.append(link)
        queue = sorted(grown)
    return frozenset(found)


def grow_diag_final_and(forward: Links, backward: Links) -> Links:
    """`grow_diag`, then links of either direction whose two words are both still unlinked.

    >>> sorted(grow_diag_final_and(frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (3, 3)})))
    [(0, 0), (2, 1), (3, 3)]
    """
    found = set(grow_diag(forward, backward))
    rows, columns = {i for i, _ in found}, {j for _, j in found}
    for direction in (forward, backward):
        for i, j in sorted(direction):
            if i not in rows and j not in columns:
                found.add((i, j))
                rows.add(i)
                columns.add(j)
    return frozenset(found)


HEURISTICS: dict[str, Callable[[Links, Links], Links]] = {
    "grow-diag-final-and": grow_diag_final_and,
    "grow-diag": grow_diag,
    "intersection": intersection,
    "union": union,
}
