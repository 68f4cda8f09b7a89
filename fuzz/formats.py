"""The formats under fire: good files of each, and how a mutant of them is made."""

import bz2
import gzip
import io
import lzma
import random
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import io as scipy_io
from scipy import sparse

from fuzz.mutants import mutant
from lapwing import Graph
from lapwing.io import write_graph

GRAPH = Graph.from_edges(
    [
        ("ada", "bo"),
        ("bo", "cy"),
        ("cy", "ada"),
        ("cy", "d, e"),
        ("d, e", 'f "g"'),
        ("h\u00e9", "bo"),
    ],
    weights=[1.0, 0.5, 2.0, 1.0, 3.25, 1e-3],
)
NUMBERED = Graph.from_edges([(1, 2), (2, 3), (3, 1), (3, 40), (40, 5), (5, 60)])
NAMES = ["ada", "bo", "cy", "d, e", 'f "g"', "h\u00e9"]
FORMATS = (
    "csv", "tsv", "txt", "labels.csv", "labels.parquet", "parquet", "graphml", "gml", "mtx", "mat",
    "npz", "csv.gz", "csv.zst", "csv.bz2", "csv.xz",
)  # fmt: skip


def good_files(kind: str) -> list[bytes]:
    """Whole files of a format."""
    if kind.startswith("labels"):
        return _labels(kind)
    plain = kind.split(".")[0]
    files = [_written(GRAPH, plain), _written(NUMBERED, plain)]
    if plain in ("csv", "tsv", "txt"):
        mark = b"," if plain == "csv" else b"\t"
        rows = [b"ada", b"bo"], [b"bo", b"cy"], [b"cy", b"dee"], [b"dee", b"ada"]
        files.append(b"".join(mark.join(row) + b"\r\n" for row in rows))
        files.append(b"# a comment\n" + b"".join(b"%d %d\n" % (i, i * 7 % 13) for i in range(40)))
        files.append(b"".join(b"%d%s%d%s0.%d\n" % (i << 40, mark, i, mark, i) for i in range(1, 9)))
        files.append(b"".join(b'"v %d"%sv%d%s1e%d\n' % (i, mark, i, mark, i) for i in range(1, 9)))
    if plain == "mtx":
        files += [
            b"%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 1\n2 3\n3 2\n",
            b"%%MatrixMarket matrix array real general\n2 2\n0\n1.5\n1.5\n0\n",
            b"%%MatrixMarket matrix coordinate integer symmetric\n% no\n3 3 2\n2 1 7\n3 1 2\n",
        ]
    if plain == "mat":
        files += [_mat(graph=sparse.csc_matrix(NUMBERED.adjacency)), _mat(A=_dense(GRAPH))]
    if plain == "npz":
        files += [
            _npz(sparse.coo_array(NUMBERED.adjacency)),
            _npz(sparse.csc_array(GRAPH.adjacency)),
        ]
    if plain == "graphml":
        files.append(_NETWORKX)
    return [_packed(file, kind) for file in files]


def made(kind: str, good: list[bytes], rng: random.Random) -> bytes:
    """A mutant; half of those in an archive are damaged inside it, and packed whole again."""
    inside = rng.random() < 0.5
    if kind == "npz" and inside:
        return _member_damaged(rng.choice(good), rng)
    if kind.count(".") and not kind.startswith("labels") and inside:
        plain = [_unpacked(file, kind) for file in good]
        return _packed(mutant(plain, rng), kind)
    return mutant(good, rng)


def _labels(kind: str) -> list[bytes]:
    table = {"node": NAMES, "label": ["x", "y", "x", "z", "y", "x"]}
    if kind == "labels.parquet":
        return [_parquet(table), _parquet(table | {"label": [1, 2, 1, 3, 2, 1]})]
    return [
        'node,label\nada,x\nbo,y\ncy,x\n"d, e",z\nh\u00e9,x\n'.encode(),
        b"ada,1\nbo,2\ncy,1\n",
        b"id,page,class,weight\r\nada,1,x,2.5\r\nbo,2,y,1\r\n",
        b"label;node\nx;ada\ny;bo\n",
    ]


def _written(graph: Graph, plain: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"good.{plain}"
        write_graph(graph, path)
        if plain == "parquet":
            pq.write_table(
                pq.read_table(path), path, compression="none", use_dictionary=graph is GRAPH
            )
        return path.read_bytes()


def _parquet(table: dict) -> bytes:
    held = io.BytesIO()
    pq.write_table(pa.table(table), held, compression="none")
    return held.getvalue()


def _mat(**variables: object) -> bytes:
    held = io.BytesIO()
    scipy_io.savemat(held, variables)
    return held.getvalue()


def _npz(matrix: object) -> bytes:
    held = io.BytesIO()
    sparse.save_npz(held, matrix, compressed=False)
    return held.getvalue()


def _dense(graph: Graph) -> np.ndarray:
    return graph.adjacency.toarray()


def _member_damaged(good: bytes, rng: random.Random) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(held, "w") as new:
        names = old.namelist()
        hit = rng.choice(names)
        for name in names:
            data = old.read(name)
            new.writestr(name, mutant([data], rng) if name == hit else data)
    return held.getvalue()


def _packed(data: bytes, kind: str) -> bytes:
    suffix = kind.rpartition(".")[2]
    if suffix == "zst":
        return pa.compress(data, codec="zstd", asbytes=True)
    packers = {"gz": lambda d: gzip.compress(d, mtime=0), "bz2": bz2.compress, "xz": lzma.compress}
    return packers.get(suffix, bytes)(data)


def _unpacked(data: bytes, kind: str) -> bytes:
    suffix = kind.rpartition(".")[2]
    if suffix == "zst":
        return pa.input_stream(pa.py_buffer(data), compression="zstd").read()
    return {"gz": gzip.decompress, "bz2": bz2.decompress, "xz": lzma.decompress}[suffix](data)


_NETWORKX = b"""<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d1" for="edge" attr.name="weight" attr.type="double"><default>1.5</default></key>
  <key id="d0" for="node" attr.name="title" attr.type="string" />
  <graph edgedefault="directed">
    <node id="n0"><data key="d0">First &amp; best</data></node>
    <node id="n1" /><node id="n2" />
    <edge source="n0" target="n1"><data key="d1">2.0</data></edge>
    <edge source="n1" target="n2" />
  </graph>
</graphml>
"""
