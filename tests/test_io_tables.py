"""Tables go into files whole or not at all, in every format, and what cannot is said first."""

import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
from unprivileged import as_ordinary_user, locked_folder

from lapwing.errors import InputError
from lapwing.io import checked_output, table_text, write_table, write_text

TABLE = {
    "node": ["ada", 'bo "jr", x', "cy\nnew"],
    "age": np.array([3, 4, 5]),
    "sure": [0.5, None, float("nan")],
    "seen": np.array([True, False, True]),
    "at": [[1, 2], [], [3]],
}
CSV = (
    'node,age,sure,seen,at\nada,3,0.5,true,"[1,2]"\n'
    '"bo ""jr"", x",4,,false,[]\n"cy\nnew",5,nan,true,[3]\n'
)


def test_csv_and_tsv_need_no_package(tmp_path):
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from lapwing.io import write_table\n"
        f"write_table({{'a': [1, 2]}}, {str(tmp_path / 'a.csv')!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert (tmp_path / "a.csv").read_text() == "a\n1\n2\n"
    assert table_text(TABLE) == CSV
    assert table_text({"a": [1], "b": ["x\ty"]}, "tsv") == 'a\tb\n1\t"x\ty"\n'


def test_json_has_no_nan(tmp_path):
    rows = json.loads(write_table(TABLE, tmp_path / "a.json").read_text())
    text = write_table(TABLE, tmp_path / "a.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert rows == lines
    assert [row["sure"] for row in rows] == [0.5, None, None]
    assert json.loads(table_text({"a": []}, "json")) == []


def test_parquet_keeps_types_and_compression_is_told_by_the_suffix(tmp_path):
    read = pq.read_table(write_table(TABLE, tmp_path / "a.parquet")).to_pydict()
    assert read["node"] == TABLE["node"]
    assert read["age"] == [3, 4, 5]
    assert read["at"] == TABLE["at"]
    packed = write_table(TABLE, tmp_path / "a.csv.gz")
    assert gzip.decompress(packed.read_bytes()).decode() == CSV


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = write_table({"a": [1]}, tmp_path / "a.csv")
    with pytest.raises(InputError, match="equal lengths"):
        write_table({"a": [1], "b": []}, path)

    class Broken(list):
        def __iter__(self):
            yield 1
            raise RuntimeError("the disk caught fire")

    with pytest.raises(RuntimeError, match="fire"):
        write_table({"a": Broken([1, 2])}, path)
    assert path.read_text() == "a\n1\n"
    assert os.listdir(tmp_path) == ["a.csv"]
    write_text("b", path)
    assert path.read_text() == "b"


def test_outputs_are_checked_before_the_work(tmp_path):
    assert checked_output(tmp_path / "new" / "a.tsv.xz") == tmp_path / "new" / "a.tsv.xz"
    assert not (tmp_path / "new").exists()
    assert checked_output(tmp_path / "a.dat", format="csv")
    (tmp_path / "b.csv").mkdir()
    (tmp_path / "file").write_text("")
    for name, answer in [
        ("a.xls", "a table must end in"),
        ("b.csv", "is a folder, not a file"),
        ("file/c.csv", "is not a folder"),
    ]:
        with pytest.raises(InputError, match=answer):
            checked_output(tmp_path / name)
    with pytest.raises(InputError, match="format must be one of csv, json"):
        checked_output(tmp_path / "a.csv", format="xls")


def test_a_folder_that_must_not_be_written_to():
    with locked_folder() as folder:
        problem = as_ordinary_user(checked_output, folder / "a.csv")
    assert isinstance(problem, InputError)
    assert "no permission" in str(problem)
