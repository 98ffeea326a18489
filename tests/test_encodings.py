"""Text in UTF-16 and UTF-32, as spreadsheets and Windows write it, is read as if it were UTF-8."""

import codecs
import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinveil.errors import GraphFileError
from thinveil.graph.reading import encodings, read_graph

MARKS = {
    "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE, "utf-32-be": codecs.BOM_UTF32_BE,
}  # fmt: skip
TABLE = "Von\tNach\r\n" + "".join(f"Ren\u00e9 {k}\t\u6c5f {k * 7 % 40}\U0001f600\r\n" for k in range(60))


def read(content, **options):
    return read_graph(io.BytesIO(content), **options)


@pytest.mark.parametrize("piece", [3, 64, 1 << 20])
@pytest.mark.parametrize("encoding", MARKS)
def test_marked_text_is_read_as_its_utf8(monkeypatch, encoding, piece):
    monkeypatch.setattr(encodings, "_PIECE", piece)
    content = MARKS[encoding] + TABLE.encode(encoding)
    told = read(content)
    assert told.digest() == read(TABLE.encode()).digest() == read(gzip.compress(content)).digest()
    assert told.origin.note == f"{encoding.upper()[:6]} text"
    assert told.origin.words().endswith(f"60 rows ({encoding.upper()[:6]} text)")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_plain_text_needs_no_mark(encoding):
    plain = "from,to\n" + "".join(f"{k},{k * 7 % 40}\n" for k in range(60))
    assert read(plain.encode(encoding)).digest() == read(plain.encode()).digest()


def test_notes_of_the_table_are_kept():
    told = read(codecs.BOM_UTF16_LE + "anna bob\ncarl dora\nbob carl\n".encode("utf-16-le"))
    assert "; UTF-16 text" in told.origin.note or told.origin.note == "UTF-16 text"


def test_errors_name_the_line(tmp_path):
    (tmp_path / "g").write_bytes(codecs.BOM_UTF16_LE + "1\t2\n3\n".encode("utf-16-le"))
    with pytest.raises(GraphFileError, match=r"g, line 2: '3'"):
        read_graph(tmp_path / "g")


def test_text_too_large_for_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(encodings, "free_memory", lambda: 400)
    with pytest.raises(GraphFileError, match=r"too large to be turned into UTF-8 here: .*iconv -f UTF-16 -t UTF-8"):
        read(codecs.BOM_UTF16_LE + TABLE.encode("utf-16-le"))


@given(st.binary(max_size=80))
def test_any_bytes_are_text_or_damaged_or_handed_through(content):
    try:
        text, note = encodings.as_utf8(content, "g")
    except GraphFileError:
        text, note = b"", ""
        assert encodings.encoding_of(content)
    else:
        assert note or text is content
    bytes(text if note else b"").decode()
