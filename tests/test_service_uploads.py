"""Uploads that mean harm: bombs, code, paths, too much of anything. All are refused, none stays."""

import gzip
import io
import os
import zipfile

import numpy as np
import pytest
from fastapi.testclient import TestClient

from lapwing import Graph
from lapwing.io import write_graph
from lapwing.io.graphs.mapped.container import mapped_arrays, write_arrays
from lapwing.service.app import service_app
from lapwing.service.operation.settings import ServiceSettings
from tests.service_running import CSV

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + k, (b"&%c;" % (97 + k)) * 10) for k in range(9))
    + b"]><graphml><graph edgedefault='undirected'><node id='&j;'/></graph></graphml>"
)
FILE = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<graphml><graph edgedefault='undirected'><node id='&a;'/></graph></graphml>"""


class Harm:
    """Unpickled, it makes a folder."""

    def __init__(self, place):
        self.place = place

    def __reduce__(self):
        return os.mkdir, (self.place,)


def pickled(place):
    file = io.BytesIO()
    np.savez(file, data=np.array([Harm(place)], dtype=object), allow_pickle=True)
    return file.getvalue()


def zip_of_zeros(megabytes):
    """An archive of NumPy with one array that is a thousand times its size."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        head = io.BytesIO()
        shape = (megabytes * 131_072,)
        np.lib.format.write_array_header_1_0(
            head, {"descr": "<f8", "fortran_order": False, "shape": shape}
        )
        with packed.open("data.npy", "w") as member:
            member.write(head.getvalue())
            for _ in range(megabytes):
                member.write(bytes(1 << 20))
    return file.getvalue()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    settings = ServiceSettings(
        folder=tmp_path_factory.mktemp("uploads"), upload_megabytes=1, upload_rows=100,
        upload_memory_megabytes=1200, rate="1000/second",
    )  # fmt: skip
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as found:
        yield found


def lopsided(path):
    """A graph file with good checksums, one edge of which has one direction only."""
    write_graph(Graph.from_edges([(0, 1), (1, 2)]), path)
    facts, arrays = mapped_arrays(path, path, in_memory=True)
    arrays["indices"] = np.array([2, 0, 2, 1], dtype=np.int32)
    write_arrays(path, facts, arrays)
    return path.read_bytes()


def sent(client, name, content):
    return client.post("/v1/graphs", files={"edges": (name, content)})


def left(client):
    """Files of uploads and graphs that are still there."""
    folder = client.app.state.service.settings.folder
    return [each for part in ("uploads", "graphs") for each in (folder / part).rglob("*")]


@pytest.mark.parametrize(
    ("name", "make", "code", "words"),
    [
        (
            "bomb.csv.gz",
            lambda _: gzip.compress(b"a,b\n" * 25_000_000, 1),
            "unreadable",
            "File too large",
        ),
        ("bomb.npz", lambda _: zip_of_zeros(400), "unreadable", "bytes cannot be"),
        ("laughs.graphml", lambda _: LAUGHS, "unreadable", "entities"),
        ("file.graphml", lambda _: FILE, "unreadable", "entities"),
        ("harm.npz", lambda place: pickled(str(place / "harmed")), "unreadable", "expected array"),
        ("lopsided.lap", lambda place: lopsided(place / "a.lap"), "unreadable", "symmetric"),
        ("harm.pkl", lambda place: pickled(str(place / "harmed")), "unknown_format", "must end in"),
        (
            "rows.csv",
            lambda _: b"".join(b"%d,%d\n" % (k, k + 1) for k in range(150)),
            "unreadable",
            "at most 100",
        ),
    ],
)
def test_harm_is_refused_and_nothing_stays(client, tmp_path, name, make, code, words):
    reply = sent(client, name, make(tmp_path))
    assert reply.status_code == 422, reply.text
    said = reply.json()["error"]["message"]
    assert reply.json()["error"]["code"] == code
    assert words in said
    assert "root:" not in said
    assert str(client.app.state.service.settings.folder) not in said
    assert not (tmp_path / "harmed").exists()
    assert left(client) == []


def test_too_much_is_refused(client):
    reply = sent(client, "large.csv", b"a,b\n" * 600_000)
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")
    assert left(client) == []


def test_too_long_is_stopped(tmp_path):
    settings = ServiceSettings(folder=tmp_path, upload_seconds=0.05)
    with TestClient(service_app(settings), base_url="http://127.0.0.1") as client:
        reply = sent(client, "slow.csv", CSV)
        assert (reply.status_code, reply.json()["error"]["code"]) == (422, "too_slow")
        assert left(client) == []


def test_no_path_is_taken_from_a_name(tmp_path):
    folder = tmp_path / "inner" / "service"
    with TestClient(
        service_app(ServiceSettings(folder=folder)), base_url="http://127.0.0.1"
    ) as client:
        for name in ("../../evil.csv", "..\\..\\evil.csv"):
            reply = sent(client, name, CSV)
            assert (reply.status_code, reply.json()["name"]) == (201, "evil"), reply.text
    assert [each for each in tmp_path.rglob("*") if "evil" in each.name] == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["inner"]
