"""Two names that belong together: userA and userB, from_acct and to_acct, payer and payee, who and whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from thinveil.graph.reading.names import is_attribute, is_value_name, is_word, plain, stem

# what tells twins apart, at their beginning or their end
_OPPOSITES = (
    *(("a", "b"), ("1", "2"), ("0", "1"), ("x", "y"), ("i", "j"), ("u", "v")),
    *(("from", "to"), ("src", "dst"), ("src", "dest"), ("source", "target"), ("start", "end"), ("begin", "end")),
    *(("orig", "dest"), ("origin", "destination"), ("left", "right"), ("first", "second"), ("one", "two")),
)
_PLACES = frozenset("xyij")  # x and y of a place: twins, but no ids among other columns
_COUPLES = frozenset(
    (plain(first), plain(second))
    for first, second in (
        *(("who", "whom"), ("orig", "dest"), ("orig", "term"), ("start", "end"), ("begin", "end"), ("begin", "stop")),
        *(("first", "second"), ("lhs", "rhs"), ("left", "right"), ("aparty", "bparty"), ("winner", "loser")),
        *(("husband", "wife"), ("mother", "child"), ("father", "child"), ("case", "contact"), ("chooser", "chosen")),
        *(("blogger", "reader"), ("one", "other"), ("knows", "known"), ("wer", "wen"), ("qui", "a qui")),
        *(("кто", "кого"), ("знает", "кого"), ("用户", "好友"), ("ユーザー", "友達"), ("發送者", "接收者")),
        ("사용자", "친구"),
    )
)
_SEPARATORS = "_ .-"
_DOER = re.compile(r"(.{3,}?)(ator|er|or)")
_DONE_TO = re.compile(r"(.{3,}?)(ee|ed)")
_LITTLE = re.compile(r"[_ .-]*(to|by)$")
_MOST_NAMES = 64


def are_couple(first: str, second: str) -> bool:
    """Say whether two names are a well-known pair, in either order."""
    pair = plain(first), plain(second)
    return pair in _COUPLES or pair[::-1] in _COUPLES


def are_paired(first: str, second: str) -> bool:
    """Say whether two names tell by themselves that the columns hold the two ends of an edge."""
    return are_couple(first, second) or _are_doer_and_done(first, second) or twin_part(first, second) is not None


def find_twins(names: Sequence[str]) -> tuple[int, int] | None:
    """Return where twins, or one who does and one to whom it is done, stand among other columns, if only two do."""
    if len(names) > _MOST_NAMES:
        return None
    pairs = [(i, j) for i, j in combinations(range(len(names)), 2) if _are_ends(names[i], names[j])]
    return pairs[0] if len(pairs) == 1 else None


def _are_ends(first: str, second: str) -> bool:
    part = twin_part(first, second)
    if part is None:
        return _are_doer_and_done(first, second)
    is_place = bool(_PLACES & {first.lower()[-1:], first.lower()[:1]}) and not is_word(part)
    return not is_place and (is_word(part) or not (is_attribute(part) or is_value_name(part)))


def twin_part(first: str, second: str) -> str | None:
    """Return what two names have in common if they are twins: user for userA and userB."""
    for one, other in ((first.strip(), second.strip()), (_core(first), _core(second))):
        for marks in _OPPOSITES:
            for a, b in (marks, marks[::-1]):
                part = _common(one, other, a, b)
                if part is not None:
                    return part
    return None


def _core(name: str) -> str:
    """Return a name without the id at its end, for twins that differ before it: personA_id."""
    return re.sub(r"[_ .-]*(id|ID|Id|name|Name|no|nr)$", "", name.strip())


def _common(one: str, other: str, a: str, b: str) -> str | None:
    low, high = one.lower(), other.lower()
    if low.endswith(a) and high.endswith(b) and low[: -len(a)] == high[: -len(b)]:
        part, mark, before = one[: -len(a)], one[-len(a)], one[-len(a) - 1 : -len(a)]
        is_apart = before in tuple(_SEPARATORS) or (mark.isupper() and before.islower())
    elif low.startswith(a) and high.startswith(b) and low[len(a) :] == high[len(b) :]:
        part, behind = one[len(a) :], one[len(a) : len(a) + 1]
        is_apart = behind in tuple(_SEPARATORS) or (behind.isupper() and one[len(a) - 1].islower())
    else:
        return None
    bare = plain(part).strip(_SEPARATORS)
    # the letters of xu and yu, or mari and marj, are no marks; those of anum and bnum are
    is_mark = is_apart or len(a) > 1 or (a.isdigit() and low.endswith(a)) or (len(bare) > 1 and is_word(bare))
    return bare if bare and is_mark else None


def _are_doer_and_done(first: str, second: str) -> bool:
    words = [_LITTLE.sub("", stem(name)) for name in (first, second)]
    for one, other in (words, words[::-1]):
        doer, done = _DOER.fullmatch(one), _DONE_TO.fullmatch(other)
        # hamer and hamed are people
        if doer and done and doer[1] == done[1] and (done[2] == "ee" or len(done[1]) > 3):
            return True
    return False


def is_like_twin(part: str, label: str) -> bool:
    """Say whether an id is called as twins are: user3 and userC beside user1 and user2."""
    bare = plain(label)
    if len(part) > 2 and not is_word(part):
        return bare.startswith(part) or bare.endswith(part)
    letters = r"\w{1,2}" if len(part) > 2 else r"(?<=[_ .-])\w"  # Ida is no twin of idB
    return re.fullmatch(rf"{re.escape(part)}[_ .-]*([0-9]+|{letters})", bare) is not None
