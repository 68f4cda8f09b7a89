"""The OpenAPI document: every address has a description and examples that are true to it."""

import importlib
import inspect

import pytest
from pydantic import BaseModel

from lapwing.service.app import service_app
from lapwing.service.http.examples import BODIES, TEXTS
from lapwing.service.operation.settings import ServiceSettings

MODULES = ("bodies", "doubt_replies", "graph_replies", "question_replies", "session_replies")


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    app = service_app(ServiceSettings(folder=tmp_path_factory.mktemp("document")))
    yield app.openapi()
    app.state.service.close()


def models():
    found = {}
    for name in MODULES:
        module = importlib.import_module(f"lapwing.service.http.{name}")
        found |= dict(inspect.getmembers(module, inspect.isclass))
    return {name: kind for name, kind in found.items() if issubclass(kind, BaseModel)}


@pytest.mark.parametrize("name", sorted(BODIES))
def test_an_example_is_what_its_model_takes(name):
    kind = models()[name]
    made = kind.model_validate(BODIES[name])
    assert set(BODIES[name]) <= set(kind.model_fields)
    assert kind.model_validate(made.model_dump()) == made


def test_every_address_shows_what_is_sent_and_returned(document):
    schemas, missing = document["components"]["schemas"], []

    def shown(path, kind, content):
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        binary = content["schema"].get("format") == "binary" and (path, kind) not in TEXTS
        return binary or "example" in content or "examples" in schemas.get(name, {})

    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            sent = operation.get("requestBody", {}).get("content", {})
            for kind, content in sent.items():
                if kind == "application/json" and not shown(path, kind, content):
                    missing.append((method, path, "sent"))
            for status, reply in operation["responses"].items():
                for kind, content in reply.get("content", {}).items() if status < "3" else ():
                    if not shown(path, kind, content):
                        missing.append((method, path, kind))
    assert missing == []
