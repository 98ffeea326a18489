"""Compressed graph files: what is read, and what is refused while it is still small."""

import bz2
import gzip
import io
import lzma
import os
import socket
import threading
import zipfile

import pytest
import zstandard

from thinveil.errors import GraphFileError
from thinveil.graph.reading import file_sha256, read_graph, sources

LINES = b"".join(b"%d %d\n" % (k, (k * 7) % 50) for k in range(1000))


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def zstd(content):
    return zstandard.ZstdCompressor(write_checksum=True).compress(content)


PACKERS = {"gzip": gzip.compress, "zstd": zstd, "bzip2": bz2.compress, "xz": lzma.compress}


def message(content, **options):
    with pytest.raises(GraphFileError) as caught:
        read_graph(io.BytesIO(content) if isinstance(content, bytes) else content, **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_every_compression_is_read_from_streams_and_files_in_several_members(pack, tmp_path):
    plain = read_graph(io.BytesIO(LINES)).digest()
    packed = pack(LINES[:400]) + pack(b"") + pack(LINES[400:])
    (tmp_path / "g").write_bytes(packed)
    assert read_graph(io.BytesIO(packed)).digest() == read_graph(tmp_path / "g").digest() == plain


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_cut_off_damaged_and_trailing(pack):
    packed = pack(LINES)
    for cut in (1, 9, len(packed) - 12):
        assert "the compressed file is cut off; fetch it again" in message(packed[:-cut])
    assert "the compressed file is" in message(packed + b"rest")
    middle = bytearray(packed)
    middle[len(middle) // 2 : len(middle) // 2 + 20] = b"\xa5" * 20
    assert "the compressed file is" in message(bytes(middle))


def test_zip_with_one_file_is_read(tmp_path):
    plain = read_graph(io.BytesIO(LINES)).digest()
    packed = zipped(**{"folder/": b"", "folder/edges.txt": LINES, "__MACOSX/._edges.txt": b"x"})
    (tmp_path / "g.zip").write_bytes(packed)
    assert read_graph(io.BytesIO(packed)).digest() == read_graph(tmp_path / "g.zip").digest() == plain


def test_other_zips_are_refused_by_name():
    both = message(zipped(**{"edges.csv": LINES, "nodes.csv": b"1"}))
    assert "this zip archive has 2 files inside: 'edges.csv', 'nodes.csv'; unpack it first" in both
    assert "has 0 files inside; unpack it first" in message(zipped())
    assert "has 9 files inside: 'f0', 'f1', 'f2', 'f3', 'f4', ..." in message(
        zipped(**{f"f{k}": b"" for k in range(9)})
    )
    sheet = zipped(**{"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})
    assert message(sheet).endswith("this is a spreadsheet; save the sheet as CSV")
    locked = bytearray(zipped(a=LINES))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert "is locked with a password" in message(bytes(locked))
    assert "the compressed file is damaged" in message(zipped(a=LINES)[:-30])


@pytest.mark.parametrize("pack", [*PACKERS.values(), lambda content: zipped(a=content)], ids=[*PACKERS, "zip"])
def test_bombs_are_refused_while_they_are_small(pack):
    # made of equal parts where the format has parts: bzip2 takes its time to pack 128 MiB
    packed = b"".join([pack(b"1 2\n" * 2**20)] * 32) if pack is bz2.compress else pack(b"1 2\n" * 2**25)
    assert len(packed) < 200_000
    assert "compressed bytes unpack to more than" in message(packed)


def test_a_file_that_shrinks_well_is_read():
    assert read_graph(io.BytesIO(gzip.compress(b"1 2\n" * 2**22))).edge_count == 1


def test_what_is_packed_twice_or_in_too_many_parts_is_refused():
    assert "this is compressed twice, with gzip and xz inside it" in message(gzip.compress(lzma.compress(LINES)))
    assert "this is compressed twice, with zip and gzip" in message(zipped(a=gzip.compress(LINES)))
    assert "made of too many parts" in message(gzip.compress(b"") * 12_000)
    assert read_graph(io.BytesIO(gzip.compress(LINES[:400]) + gzip.compress(b"") * 2_000)).edge_count > 10


def test_a_window_of_gigabytes_is_refused():
    huge = b"\x28\xb5\x2f\xfd\x00" + bytes([0xB0]) + b"\x00" * 20
    assert "the compressed file is" in message(huge)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_devices_are_refused(device):
    assert message(device) == f"{device}: is a device, not a file; give a file, or - for standard input"
    with pytest.raises(GraphFileError, match="is a device"):
        file_sha256(device)


def test_pipes_are_read_to_their_end(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(LINES),))
    writer.start()
    assert read_graph(pipe).digest() == read_graph(io.BytesIO(LINES)).digest()
    writer.join()


def test_a_pipe_without_end_is_refused(monkeypatch):
    class Endless(io.RawIOBase):
        def read(self, size=-1):
            return b"1 2\n" * 1000

    monkeypatch.setattr(sources, "free_memory", lambda: 2**20)
    assert "gives more than 524,288 bytes; write it into a file first" in message(Endless())


def test_sockets_are_refused(tmp_path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "s"))
        assert "cannot be read" in message(tmp_path / "s")


def test_what_only_tells_about_the_graph_is_left_aside_in_a_zip():
    plain = read_graph(io.BytesIO(LINES)).digest()
    for about in (
        "README",
        "data/README.md",
        "readme-Ego.txt",
        "LICENSE.txt",
        "paper.pdf",
        "about.html",
        "CITATION.cff",
    ):
        told = read_graph(io.BytesIO(zipped(**{about: b"edges of 50 people", "data/edges.txt": LINES, "d/": b""})))
        assert told.digest() == plain
        assert told.origin.note.endswith("'data/edges.txt' out of the zip archive")
    assert read_graph(io.BytesIO(zipped(**{"README.txt": LINES}))).digest() == plain
    both = message(zipped(README=b"1 2\n", LICENSE=b"1 2\n"))
    assert "this zip archive has 2 files inside: 'README', 'LICENSE'; unpack it first" in both
    assert "has 2 files inside" in message(zipped(**{"edges.txt": LINES, "readmes.csv": LINES}))
