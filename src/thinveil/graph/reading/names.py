"""What a header looks like: words that name columns, and rows of ids below that are spelled otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_ID_COLUMNS = """
account actor agent alter author a_party b_party buyer called callee caller calling child citing cited colleague contact
customer device dst ego email employee entity friend follower followee from giver head host id ident identifier
individual ip left manager member msisdn name neighbor neighbour node nodes number object origin destination parent
partner party patient peer person phone player recipient receiver respondent right seller sender source src
student subject subscriber suspect tail target teacher telephone to uid user username vertex victim witness
a b x y u v i j p q s t n m
ami amigo angerufener anrufer appelant appele destinataire emetteur freund kontakt nom nombre numero nummer persona
personne quelle usuario utilisateur ziel
"""
_NODE_COLUMNS = """
active address age birthdate birthday born category city class cluster color colour community country created degree
description email ethnicity firstname gender height income job joined kind label language lastname lat latitude lng lon
longitude mail name nationality nickname occupation pagerank postcode race rank region religion salary score sex status
surname title type zip
"""
_WORDS, _ATTRIBUTES = frozenset(_ID_COLUMNS.split()), frozenset(_NODE_COLUMNS.split())
_ENDING = re.compile(r"[_ .-]*(id|name|no|nr|num|number|code|key|[0-9]+|(?<=[_ .-])[ab])$")
_LONGEST_WORD = 64
_MARKS = (re.compile(r"[0-9]"), re.compile("@"))


def is_attribute(name: str) -> bool:
    """Say whether a column of this name tells something about a node."""
    return name.strip().lower() in _ATTRIBUTES


def is_word(field: str) -> bool:
    """Say whether a field is a well-known name of a column of ids, such as person, friend_id or user2."""
    return field.strip().lower() in _WORDS or stem(field) in _WORDS


def stem(field: str) -> str:
    """Return a name without what tells it from its like: user for user_id, User1 and user_b."""
    word = field.strip().lower()
    return (_ENDING.sub("", word) if len(word) <= _LONGEST_WORD else "") or word


def has_id_names(names: Sequence[str], columns: Mapping[str, int]) -> bool:
    """Say whether the header says that the chosen columns hold ids."""
    chosen = [names[columns[role]] for role in ("source", "target")]
    return all(is_word(name) and not is_attribute(name) for name in chosen)


def id_columns(names: Sequence[str]) -> list[int]:
    """Return which columns of a header hold ids, as far as their names say it beyond doubt."""
    return [k for k, name in enumerate(names) if len(name.strip()) > 1 and is_word(name) and not is_attribute(name)]


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether the first of several rows of text holds the names of the columns, and not an edge."""
    if len(rows) < 2:
        return False
    first, ids = list(rows[0][:2]), [field for row in rows[1:] for field in row[:2]]
    # user1 above user3 and user4 is a node like them
    if len(first) < 2 or not ids or set(map(stem, first)) & set(map(stem, ids)):
        return False
    if all(is_word(field) or is_attribute(field) for field in first):
        # in a graph of letters, a and b are nodes
        return any(len(field) > 1 for field in first) or all(len(field) > 1 for field in ids)
    has_rows = len(rows) > 2 and not any(mark.search(field) for mark in _MARKS for field in first)
    return has_rows and any(all(mark.search(field) for field in ids) for mark in _MARKS)
