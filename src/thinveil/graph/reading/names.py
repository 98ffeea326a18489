"""What a header looks like: words that name columns, and rows of ids below that are spelled otherwise.

Words stand here in lower case and without accents, of several languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

_ID_COLUMNS = """
account actor agent alter author a_party b_party boss buyer called callee caller calling child citing cited colleague
contact customer device dst ego email employee entity friend follower followee from giver head host id ident identifier
individual ip left manager member msisdn name neighbor neighbour node nodes number object origin destination parent
partner party patient peer person phone player recipient receiver respondent right seller sender source src
student subject subscriber suspect tail target teacher telephone to uid user username vertex victim witness
adviser advisor artist borrower brother citizen classmate client coauthor collaborator collector company consumer
creditor debtor director doctor donor editor endpoint family fan father firm guest guid handle household husband idol
imei imsi inviter invitee lender liker login mac machine mailbox mate mentee mentor merchant mother mobile nick nurse
oid outlet owner payee payer physician poster profile provider replier respondant resident reviewer scientist
server service shareholder sibling sister spouse station subordinate supervisor supplier tel trainee trainer
trustee truster uri uuid vendor voter wife worker
acct adopter alias blogger candidate comrade companion correspondent dest followed following follows interlocutor kin
leader mentioned msisdns neighbors nominee nominator orig passenger pid pupil rater reader researcher retweeter winner
loser
a b x y u v i j p q s t n m

abonne absender acheteur afsender afzender alici ami amico amiga amigo an angerufener anrufer appelant appele auteur
autor avsandare avsender beller benutzer bron bruger bruker chamado chamador chef chiamante chiamato cible client
cliente collegue comprador contact contato contatto contacto da de desde destinataire destinatario destinazione destino
do doel eleve emetteur emisor empfaenger empfanger empleado employe enfant expediteur fra fran freund gebelde gebruiker
gonderen hacia hedef identifiant kaeufer kaufer kaynak kennung knoten knoop kollege kollegin kontakt kunde lahettaja
lehrer llamado llamante llamador medewerker mitarbeiter mittente modtager mottaker mottagare naar nach nadawca nodo
noeud nom nombre numero nummer nutzer od odbiorca ontvanger origem origen origine para parent patron pessoa persona
persoon personne quelle receptor recepteur remetente remitente rufnummer schueler schuler seguido seguidor sommet
sorgente suiveur suivi teilnehmer telefon telefono telefone telephone til till uzytkownik usuario utente utilisateur
utilizador van vastaanottaja vendedor vendeur verkaeufer verkaufer vers verso von vorgesetzter vriend zender ziel zu
отправитель получатель источник цель от кому пользователь друг 源 目标 發送者 发送者 接收者 送信者 受信者
"""
_NODE_COLUMNS = """
active address age birthdate birthday born category city class cluster color colour community country created degree
description email ethnicity firstname gender height income job joined kind label language lastname lat latitude lng lon
longitude mail name nationality nickname occupation pagerank postcode race rank region religion salary score sex status
surname title type zip
amount balance betweenness bio body centrality closeness clustering comment comments content count date department
faculty followers_count grade group groups level organisation organization message note
notes price role school team text time timestamp url value values website weight year
abteilung achternaam beruf citta ciudad cidade clase classe comune departamento edad eta geschlecht geslacht grupo
groupe groep gruppe gruppo idade klas klasse klass leeftijd naam nome prenom prenome rolle sesso sexe sexo stadt tipo
typ ville vorname voornaam
"""
_EDGE_COLUMNS = """
amount begin bytes calls channel cost count counts date datetime day dates direction distance dur duration durations
end ended endtime epoch event fee freq frequency hour interactions interval kind label length length_s medium messages
minute minutes month n_calls n_messages nb_calls num_calls number_of_calls num_messages number_of_messages packets
place points port price probability proto protocol rating relation relation_type relationship reltype score sec
seconds secs sent_at sign similarity since start started start_time strength tie time timestamp times topic ts type
unixtime val value volume w wt weight when year
anzahl art beginn betrag datum dauer ende fecha duracion duree durata date_heure gewicht heure hora jahr montant peso
poids staerke starke tijd uhrzeit valeur valor wert zeit zeitpunkt zeitstempel дата время вес длительность
日期 时间 权重
"""
# well-known names of columns that are names of people too
_CALLED = "amico chef fan freund guest head idol kunde lehrer mate merchant nick patron vriend"
_PEOPLE = frozenset(_CALLED.split())
_WORDS, _ATTRIBUTES = frozenset(_ID_COLUMNS.split()), frozenset(_NODE_COLUMNS.split())
_ENDING = re.compile(r"[_ .-]*(id|name|no|nr|num|number|code|key|[0-9]+|(?<=[_ .-])[ab])$")
_PARTS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|[0-9]+")  # user, Id, ID and 2 in userId, UserID, user-2
_COUNT = re.compile(r"(n|nb|num|number|no)[_ .-](of[_ .-])?[a-z]{3,64}s|[a-z]{3,64}[_ .-]count")  # n_friends
_SUFFIXES = frozenset(("id", "name", "no", "nr", "num", "number", "code", "key", "address", "addr", "hash"))
_LONGEST_WORD = 64
_VALUES = frozenset(_EDGE_COLUMNS.split())
HEADER_WORDS = tuple(word for word in (*_WORDS, *_ATTRIBUTES) if len(word) > 1)
_MARKS = (re.compile(r"[0-9]"), re.compile("@"))


def is_attribute(name: str) -> bool:
    """Say whether a column of this name tells something about a node."""
    word = plain(name)
    return word in _ATTRIBUTES or re.sub(r"[_ .-]", "", word) in _ATTRIBUTES or _COUNT.fullmatch(word) is not None


def is_value_name(name: str) -> bool:
    """Say whether a column of this name tells something about an edge, or about a node: no id stands in it."""
    parts = [plain(part) for part in _PARTS.findall(name[:_LONGEST_WORD])]
    known = {plain(name), stem(name), *parts[:1], *parts[-1:]} - _WORDS
    return bool(known & _VALUES)


def has_sure_word(field: str) -> bool:
    """Say whether a part of a name is a well-known name of a column of ids, and nobody is called so."""
    parts = {plain(field), stem(field), *(plain(part) for part in _PARTS.findall(field[:_LONGEST_WORD]))}
    return any(len(part) > 3 and part in _WORDS and part not in _PEOPLE for part in parts)


def is_word(field: str) -> bool:
    """Say whether a field is a well-known name of a column of ids, such as person, friend_id, user2 or CustomerA."""
    return plain(field) in _WORDS or stem(field) in _WORDS or _is_compound(field)


def _is_compound(field: str) -> bool:
    """Say whether a name is made of well-known ones: from_user, callerNumber, id_emetteur."""
    parts = [plain(part) for part in _PARTS.findall(field)] if len(field) <= _LONGEST_WORD else []
    is_known = all(part in _WORDS or part in _SUFFIXES or part.isdigit() for part in parts)
    return is_known and len(parts) > 1 and any(len(part) > 1 and part in _WORDS for part in parts)


def plain(field: str) -> str:
    """Return a name in lower case, without accents and the blanks around it: empfanger for Empfänger."""
    word = field.strip().lower()
    if word.isascii() or len(word) > _LONGEST_WORD:
        return word
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))


def stem(field: str) -> str:
    """Return a name without what tells it from its like: user for user_id, User1 and user_b."""
    word = plain(field)
    return (_ENDING.sub("", word) if len(word) <= _LONGEST_WORD else "") or word


def has_id_names(names: Sequence[str], columns: Mapping[str, int]) -> bool:
    """Say whether the header says that the chosen columns hold ids."""
    chosen = [names[columns[role]] for role in ("source", "target")]
    # x beside person says nothing, but x and y do
    are_alike = len({len(name.strip()) > 1 for name in chosen}) == 1
    return are_alike and all(is_word(name) and not is_attribute(name) for name in chosen)


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
    if first[0] == first[1]:  # no two columns are called the same: a loop
        return False
    if all(is_word(field) or is_attribute(field) for field in first):
        # in a graph of letters, a and b are nodes
        return any(len(field) > 1 for field in first) or all(len(field) > 1 for field in ids)
    has_rows = len(rows) > 2 and not any(mark.search(field) for mark in _MARKS for field in first)
    return has_rows and any(all(mark.search(field) for field in ids) for mark in _MARKS)
