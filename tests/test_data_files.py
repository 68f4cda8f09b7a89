"""Where files are looked for, and what is said when they are not there or not right."""

import hashlib
import shutil
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

import lapwing.data
from lapwing.data.published import files
from lapwing.data.published.files import PublishedFile, located
from lapwing.data.published.known_files import FILES
from lapwing.errors import InputError, MissingDataError, MissingExtraError, ReadError

CONTENT = b"four nodes and a tree\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
NOWHERE = "http://127.0.0.1:9/tree.txt"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The user's own folder and the cache, both empty."""
    own, cache = tmp_path / "own", tmp_path / "cache"
    own.mkdir()
    monkeypatch.setenv("LAPWING_DATA", str(own))
    monkeypatch.setattr(files, "cache_folder", lambda: cache)
    return own, cache


@pytest.fixture
def address():
    """A public address on this computer, and the requests it got."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(CONTENT)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/tree.txt", asked
    server.shutdown()
    thread.join()
    server.server_close()


def tree(url=NOWHERE, sha256=DIGEST, origin=""):
    return PublishedFile("trees/tree.txt", sha256, len(CONTENT), url, origin)


def put(folder, content=CONTENT):
    path = folder / "trees" / "tree.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_the_users_folder_comes_first_then_the_cache(folders):
    own, cache = folders
    cached = put(cache)
    assert located(tree()) == cached
    assert files.present(tree())
    mine = put(own)
    assert located(tree()) == mine


def test_a_file_that_is_nowhere_is_downloaded_once_into_the_cache(folders, address):
    url, asked = address
    _, cache = folders
    path = located(tree(url))
    assert path == cache / "trees" / "tree.txt"
    assert path.read_bytes() == CONTENT
    assert located(tree(url)) == path
    assert asked == ["/tree.txt"]


def test_a_download_of_another_digest_is_refused_and_not_kept(folders, address):
    url, _ = address
    with pytest.raises(MissingDataError, match=r"could not be downloaded \(.*hash"):
        located(tree(url, sha256="0" * 64))
    assert not files.present(tree())
    assert not any(path.is_file() for path in folders[1].rglob("*"))


def test_a_file_of_another_digest_is_an_error_that_names_both(folders):
    path = put(folders[0], b"a ring\n")
    found = hashlib.sha256(b"a ring\n").hexdigest()
    with pytest.raises(ReadError) as error:
        located(tree())
    assert str(error.value) == f"{path}: sha256 must be {DIGEST}, got {found}"
    assert path.read_bytes() == b"a ring\n"


def test_without_network_it_is_said_where_the_file_was_looked_for(folders):
    own, cache = folders
    with pytest.raises(MissingDataError) as error:
        located(tree())
    said = str(error.value)
    assert str(own / "trees/tree.txt") in said
    assert str(cache / "trees/tree.txt") in said
    assert "Put it into a folder as trees/tree.txt and set LAPWING_DATA to that folder" in said
    assert NOWHERE in said


@pytest.mark.usefixtures("folders")
def test_without_the_variable_that_is_said(monkeypatch):
    monkeypatch.delenv("LAPWING_DATA")
    with pytest.raises(MissingDataError, match="LAPWING_DATA is not set"):
        located(tree())


def test_without_pooch_the_users_folder_still_serves(folders, monkeypatch):
    def no_pooch(_, *, extra):
        raise MissingExtraError(f'needs pooch: pip install "lapwing[{extra}]"')

    monkeypatch.undo()
    own, _ = folders
    monkeypatch.setenv("LAPWING_DATA", str(own))
    monkeypatch.setattr(files, "need", no_pooch)
    with pytest.raises(
        MissingExtraError, match=r"download it lapwing needs pooch.*lapwing\[data\]"
    ):
        located(tree())
    mine = put(own)
    assert located(tree()) == mine


@pytest.mark.parametrize("name", ["movies", "usps"])
@pytest.mark.usefixtures("folders")
def test_a_data_set_without_a_public_address_says_how_it_is_made(name):
    with pytest.raises(
        MissingDataError, match=r"knows no public address of it: it is (built|a matrix)"
    ):
        lapwing.data.load(name)


@pytest.mark.usefixtures("folders")
def test_the_catalogue_says_what_would_be_downloaded():
    where = {entry.name: entry.where for entry in lapwing.data.catalog()}
    assert where["cora"] == where["network1"] == "download"
    assert where["movies"] == where["usps"] == "missing"
    assert where["karate"] == where["digits"] == where["barbell"] == "bundled"
    assert {entry.name for entry in lapwing.data.catalog()} == set(lapwing.data.available())
    assert not lapwing.data.is_present("cora")
    sizes = {entry.name: entry.size for entry in lapwing.data.catalog()}
    assert sizes["network1"] == 1537 + 229
    assert sizes["karate"] == 0


def test_one_of_two_files_is_not_enough(folders):
    own, _ = folders
    first, second = FILES["network1"]
    (own / first.path).parent.mkdir(parents=True)
    (own / first.path).write_bytes(b"")
    assert not lapwing.data.is_present("network1")
    (own / second.path).write_bytes(b"")
    assert lapwing.data.is_present("network1")
    with pytest.raises(ReadError, match="sha256 must be"):
        lapwing.data.fetch("network1")


def test_fetch_gives_the_files(dataset, tmp_path, monkeypatch):
    dataset("network2")
    paths = lapwing.data.fetch("network2")
    assert [path.name for path in paths] == ["A.mat", "label.mat"]
    for path, file in zip(paths, FILES["network2"], strict=True):
        assert path.stat().st_size == file.size
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / file.path)
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    assert lapwing.data.load("network2").graph.n_edges == 607


@pytest.mark.parametrize("act", [lapwing.data.load, lapwing.data.fetch, lapwing.data.is_present])
def test_an_unknown_name_is_met_with_the_nearest(act):
    with pytest.raises(InputError, match="no data set is named 'pubmet'; did you mean pubmed"):
        act("pubmet")


@pytest.mark.usefixtures("folders")
def test_a_progress_bar_is_told_of_every_byte(address):
    class Bar:
        total, seen, closed = 0, 0, False

        def reset(self):
            self.seen = 0

        def update(self, count):
            self.seen += count

        def close(self):
            self.closed = True

    url, _ = address
    bar = Bar()
    located(tree(url), progress=bar)
    assert bar.total == bar.seen == len(CONTENT)
    assert bar.closed
