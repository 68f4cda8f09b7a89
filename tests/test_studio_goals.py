"""What a session is for can be said when the studio is started."""

import pytest
from typer.testing import CliRunner

from lapwing import Session, data
from lapwing.cli.app import app

pytest.importorskip("fastapi")

from lapwing.service.operation.settings import settings_from
from lapwing.session import Store
from lapwing.studio.hosting import Wish, hosted_session

GRAPH = data.load("karate").graph


def shown(tmp_path, **aims):
    """The session that a studio with these aims shows, and its advice."""
    settings = settings_from(None, folder=tmp_path, host="127.0.0.1", port=1)
    name = hosted_session(settings, Wish(GRAPH, "club", ["a", "b"], aims=aims))
    with Store(settings.database_address) as store:
        session = Session.open(store, name, graph=GRAPH)
        return session.header, str(session.advice())


def test_a_class_can_be_looked_for(tmp_path):
    header, advice = shown(tmp_path, goal="find", positive=["a"], target_recall=0.9)
    assert header["positive"] == ["a"]
    assert "a" in advice


def test_audits_can_be_planned_for_a_target(tmp_path):
    assert shown(tmp_path, target_error=0.2)[0]["target_error"] == 0.2


def test_something_else_than_the_error_can_be_proven(tmp_path):
    header, advice = shown(tmp_path, certify="recall:a>=0.9")
    assert header["certify"]["measure"] == "recall"
    assert "recall" in advice


def test_answers_that_look_wrong_can_be_asked_about_again(tmp_path):
    assert shown(tmp_path, second_looks=True)[0]["second_looks"] is True


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["karate", "--recall", "0.9"], "--recall must go with --find"),
        (["--find", "a"], "GRAPH must be given"),
    ],
)
def test_aims_that_belong_to_nothing_are_refused(given, said):
    found = CliRunner().invoke(app, ["studio", "--no-browser", *given])
    assert found.exit_code != 0
    assert said in str(found.exception)
