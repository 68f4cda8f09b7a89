"""Damaged files that once broke a reader, or would have: each is refused or read, as it should be.

They were found by ``make fuzz``, which makes thousands of others.
"""

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from scipy import io as scipy_io
from scipy import sparse

from fuzz.formats import FORMATS, good_files, made
from fuzz.worker import outcome
from lapwing import read_graph
from lapwing.errors import ReadError
from lapwing.io import files
from lapwing.io.text import edge_list

MTX = b"%%MatrixMarket matrix coordinate real "
ALONE = b'</graph><node id="c"/></graphml>'
GRAPHML = b'<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/>'
MAT = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"


def npz(**changed):
    """A sparse matrix of two nodes whose arrays were changed."""
    matrix, held = sparse.csr_array(np.array([[0, 1.0], [1.0, 0]])), io.BytesIO()
    arrays = {"format": np.array(b"csr"), "shape": np.array([2, 2]), "data": matrix.data}
    arrays |= {"indices": matrix.indices, "indptr": matrix.indptr}
    np.savez(held, **(arrays | changed))
    return held.getvalue()


def huge_array():
    """An archive whose array says it has a billion numbers."""
    good, held = io.BytesIO(npz()), io.BytesIO()
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(held, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"(2,), }         ", b"(1000000000,), }"))
    return held.getvalue()


def mat(**changed):
    """The bytes of a sparse matrix in a .mat file, some of them changed."""
    held = io.BytesIO()
    scipy_io.savemat(held, {"graph": sparse.csc_matrix(np.array([[0, 1.0], [1.0, 0]]))})
    data = bytearray(held.getvalue())
    for at, word in changed.items():
        struct.pack_into("<I", data, int(at[1:]), word)
    return bytes(data)


REFUSED = [
    ("count.mtx", MTX + b"general\n3 3 4000000000\n1 2 1\n"),
    ("index.mtx", MTX + b"general\n3 3 1\n-9223372036854775808 2 1\n"),
    ("overflow.mtx", MTX + b"general\n3 3 1\n99999999999999999999 2 1\n"),
    ("sizes.mtx", MTX + b"general\n3 3\n1 2 1\n"),
    ("negative.mtx", MTX + b"symmetric\n-3 -3 1\n1 2 1\n"),
    ("array.mtx", b"%%MatrixMarket matrix array real general\n100000 100000\n1\n"),
    ("name.mtx", MTX + b"general\n%name [[[[\n2 2 2\n1 2 1\n2 1 1\n"),
    ("binary.mtx", MTX + b"general\n2 2 1\n\xff\x00 2 1\n"),
    ("half.npz", npz(indices=np.array([0.5, 1.0]))),
    ("outside.npz", npz(indices=np.array([1, 4000000000], dtype=np.uint64))),
    ("huge.npz", npz(format=np.array(b"coo"), shape=np.array([10**12] * 2), row=[0], col=[1])),
    ("ends.npz", npz(indptr=np.array([0, 2**40, 2]))),
    ("backwards.npz", npz(indptr=np.array([2, 0, 2]))),
    ("billion.npz", huge_array()),
    ("text.npz", npz(data=np.array(["a", "b"]))),
    ("element.mat", MAT + struct.pack("<II", 14, 2**31)),
    ("packed.mat", MAT + struct.pack("<II", 15, 4) + b"abcd"),
    ("columns.mat", mat(_160=2**30, _164=2**30)),
    ("flags.mat", MAT + struct.pack("<IIII", 14, 8, 6, 0)),
    ("quote.csv", b'source,target\nada,bbo,"o\nada,d\nbo,cy\n'),
    ("header.csv", b"author,coauthor\nada,bo\nbo,cy\n"),
    ("outside.graphml", GRAPHML + ALONE),
    ("inside.graphml", GRAPHML + b'<node id="c"><node id="d"/></node></graph></graphml>'),
    ("coding.graphml", b"<?xml version='1.0' encoding='no such'?><graphml/>"),
    ("key.graphml", b"<graphml><key/></graphml>"),
    ("twice.gml", b"graph [ node [ id 1 ] node [ id 1.0 ] node [ id 1 ] ]"),
    ("text.parquet", b"PAR1" + bytes(60) + struct.pack("<I", 2**31 - 1) + b"PAR1"),
]


@pytest.mark.parametrize(("name", "data"), REFUSED, ids=[name for name, _ in REFUSED])
def test_damage_is_refused_with_our_own_error(name, data, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ReadError) as caught:
        read_graph(path)
    assert str(caught.value).startswith(str(path))


READ = [
    ("small.npz", npz(data=np.array([1, 1], dtype=np.float16)), [0, 1]),
    ("end.npz", npz(indices=np.array([1, 0], dtype=">i2")), [0, 1]),
    ("group.csv", b"ada,bo\x1d\nbo\x1d,cy\n", ["ada", "bo\x1d", "cy"]),
    ("return.csv", b"\rada,bo\nbo,cy\n", ["ada", "bo", "cy"]),
    ("blank.csv", b"source,target\n" + b"\n" * 300 + b"ada,bo\n", ["ada", "bo"]),
    (
        "entity.gml",
        b'graph [ node [ id 1 label "&#' + b"9" * 5000 + b';" ] ]',
        ["&#" + "9" * 5000 + ";"],
    ),
    ("half.gml", b'graph [ node [ id 1 label "&#55296;" ] ]', ["&#55296;"]),
]


@pytest.mark.parametrize("big", [0, 1 << 20], ids=["compiled", "careful"])
@pytest.mark.parametrize(("name", "data", "names"), READ, ids=[name for name, *_ in READ])
def test_oddities_are_read_as_they_stand(big, name, data, names, tmp_path, monkeypatch):
    monkeypatch.setattr(edge_list, "BIG", big)
    path = tmp_path / name
    path.write_bytes(data)
    assert list(read_graph(path).names) == names


@pytest.mark.parametrize("packer", [gzip, bz2, lzma], ids=["gz", "bz2", "xz"])
def test_an_archive_does_not_fill_the_disk(packer, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_HARMLESS", 1 << 22)
    suffix = {gzip: "gz", bz2: "bz2", lzma: "xz"}[packer]
    path = tmp_path / f"bomb.csv.{suffix}"
    path.write_bytes(packer.compress(b"a,b\n" * (1 << 22)))
    with pytest.raises(ReadError, match=r"bytes unpack to over"):
        read_graph(path)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_hundred_mutants(kind, tmp_path):
    good, path = good_files(kind), tmp_path / f"mutant.{kind.removeprefix('labels.')}"
    for index in range(100):
        path.write_bytes(made(kind, good, random.Random(f"test {kind} {index}")))
        assert outcome(kind, path, index)[0] in ("own", "read")


def test_the_fuzzer_goes_on_where_it_stopped(tmp_path):
    said = ["mtx", "--folder", str(tmp_path), "--mutants"]
    for mutants in ("5", "12"):
        run = subprocess.run(
            [sys.executable, "-m", "fuzz", *said, mutants],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert f"| mtx | {mutants} |" in run.stdout
