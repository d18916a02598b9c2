"""An endpoint over HTTP, asked for real: a server of the standard library on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from muniment import embedders, errors
from tests.requirements.marker import requirement

Answer = Callable[[dict[str, Any]], Any]


class Server(HTTPServer):
    """Answers each request by a function of its body, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []
        self.answer: Answer = numbered

    @property
    def model(self) -> str:
        """How the embedder is spelled that asks this server."""
        return f"http://127.0.0.1:{self.server_port}/v1#tiny"


class Handler(BaseHTTPRequestHandler):
    """Hands every request to its server's function."""

    server: Server

    def do_POST(self) -> None:
        """One request, one answer; a text is sent as it stands, and a number is a status."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        answer = self.server.answer(body)
        sent = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(answer if isinstance(answer, int) else 200)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


def numbered(body: dict[str, Any]) -> Any:
    """The length of each text, last text first: places count, not order."""
    data = [{"index": at, "embedding": [len(text), 1]} for at, text in enumerate(body["input"])]
    return {"data": data[::-1]}


@pytest.fixture
def server() -> Iterator[Server]:
    """A server in a thread of its own."""
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@requirement("vectors:embedder:endpoint")
def test_an_endpoint_embeds_in_bounded_requests(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By place, in requests of at most 64 texts, and without a key where none is set."""
    monkeypatch.delenv("MUNIMENT_EMBEDDER_KEY", raising=False)
    model = embedders.named(server.model)

    vectors = model.embed(["x" * length for length in range(100)])

    assert vectors == [[float(length), 1.0] for length in range(100)]
    assert model.dimension == 2
    assert [(path, key, len(body["input"])) for path, key, body in server.asked] == [
        ("/v1/embeddings", None, 64),
        ("/v1/embeddings", None, 36),
    ]
    assert {body["model"] for _, _, body in server.asked} == {"tiny"}


@requirement("vectors:embedder:endpoint")
def test_the_key_goes_to_the_endpoint(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment; the dimension is asked for where nothing was embedded yet."""
    monkeypatch.setenv("MUNIMENT_EMBEDDER_KEY", "open sesame")

    assert embedders.named(server.model).dimension == 2
    assert [key for _, key, _ in server.asked] == ["Bearer open sesame"]


@requirement("vectors:embedder:endpoint")
@pytest.mark.parametrize(
    "answer",
    [
        500,
        "no JSON",
        [],
        {},
        {"data": []},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
    ],
)
def test_what_is_no_answer_is_unavailable(server: Server, answer: Any) -> None:
    """And names the address."""
    server.answer = lambda _: answer

    with pytest.raises(errors.EmbedderUnavailable, match=r"127\.0\.0\.1"):
        embedders.named(server.model).embed(["a", "b"])


@requirement("vectors:embedder:endpoint")
def test_where_nobody_listens_is_unavailable(server: Server) -> None:
    """No waiting for ever, and no other error than ours."""
    nobody = server.model.replace(f":{server.server_port}", ":1")

    with pytest.raises(errors.EmbedderUnavailable):
        embedders.named(nobody).embed(["a"])
