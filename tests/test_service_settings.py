"""Settings from flags, the environment and a file; the examples of how to run the service."""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer

from lapwing.errors import InputError
from lapwing.service.operation.command import serve
from lapwing.service.operation.settings import settings_from

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "assets" / "service"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "service.toml"
    path.write_text('port = 9001\nlease = 30.0\nrate = "5/second"\nhost = "127.0.0.2"\n')
    return path


def test_flags_win_over_the_environment_and_that_over_the_file(file, monkeypatch):
    assert settings_from().port == 8400
    assert settings_from(file).port == 9001
    monkeypatch.setenv("LAPWING_SERVICE_PORT", "9002")
    monkeypatch.setenv("LAPWING_SERVICE_LEASE", "40")
    found = settings_from(file, port=9003)
    assert (found.port, found.lease, found.rate, found.host) == (
        9003,
        40.0,
        "5/second",
        "127.0.0.2",
    )
    assert settings_from(file).port == 9002


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 1\n", "prot"),
        ("port = 99999\n", "port"),
        ('lease = "long"\n', "lease"),
        ("port = \n", "service.toml"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(file, text, words):
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        settings_from(file)
    with pytest.raises(InputError, match="must be a TOML file"):
        settings_from(file.with_name("nowhere.toml"))


def test_a_wrong_variable_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setenv("LAPWING_SERVICE_WORKERS", "none")
    with pytest.raises(InputError, match="workers"):
        settings_from()


def test_the_examples_start_the_service_with_options_that_it_has():
    app = typer.Typer()
    app.command()(serve)
    command = typer.main.get_command(app)
    unit = (EXAMPLES / "lapwing.service").read_text()
    docker = (EXAMPLES / "Dockerfile").read_text()
    (started,) = re.findall(r"^ExecStart=\S+/lapwing serve (.*)$", unit, re.MULTILINE)
    (inside,) = re.findall(r"^CMD (.*)$", docker, re.MULTILINE)
    by_unit = command.make_context("serve", shlex.split(started)).params
    by_docker = command.make_context("serve", json.loads(inside)[2:]).params
    assert (str(by_unit["folder"]), by_unit["port"]) == ("/var/lib/lapwing", 8400)
    assert (str(by_docker["folder"]), by_docker["host"]) == ("/data", "0.0.0.0")
    assert f"ReadWritePaths={by_unit['folder']}" in unit
    proxy = (EXAMPLES / "nginx.conf").read_text()
    assert f"proxy_pass http://127.0.0.1:{by_unit['port']};" in proxy
    assert 'proxy_set_header Authorization "Bearer $lapwing_token";' in proxy
    assert "auth_request /oauth2/auth;" in proxy
