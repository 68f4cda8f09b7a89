"""A few generated requests to every address; `python -m bench.service.requests` sends thousands."""

import warnings

from bench.service.requests import generated


def test_generated_requests_are_answered_as_documented(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, wrong = generated(tmp_path, 4)
    assert wrong == []
    assert sum(found.values()) > 60
    assert {200, 404, 422} <= {status for _, _, status in found}
