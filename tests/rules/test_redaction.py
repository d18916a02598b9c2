"""Secrets and personal data: found whole, marked by kind, and nothing else is touched."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.experience import Message
from muniment.rules import redaction
from tests.requirements.marker import requirement

# A text, what of it is secret, and the kind that its marker says.
SECRETS = {
    "mail": ("Write to ann.miller@example.org, please.", "ann.miller@example.org", "email"),
    "phone": ("Call +1 415-555-2671 at noon.", "+1 415-555-2671", "phone"),
    "card": ("The card is 4111 1111 1111 1111.", "4111 1111 1111 1111", "payment-card"),
    "ssn": ("Mine is 078-05-1120.", "078-05-1120", "social-security-number"),
    "bare ssn": ("My social security number is 219099999.", "219099999", "social-security-number"),
    "in case": ("In case, call 415-555-2671; the order is late.", "415-555-2671", "phone"),
    "fax": ("Our fax: 212-555-0187.", "212-555-0187", "phone"),
    "sixth": ("It answers at fe80::1.", "fe80::1", "ip-address"),
    "address": ("It answers at 192.168.7.20.", "192.168.7.20", "ip-address"),
    "aws": ("Use AKIAIOSFODNN7EXAMPLE.", "AKIAIOSFODNN7EXAMPLE", "aws-access-key"),
    "github": ("ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx", "ghp_wWPw", "github-token"),
    "stripe": ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc" * 3, "dp7dc", "stripe-access-key"),
    "password": ('password = "correct horse"', "correct horse", "password"),
    "assigned": ("Set API_KEY=abc123-def then go.", "abc123", "password"),
    "told": ("The password: hunter2 and nothing else.", "hunter2", "password"),
    "url": ("https://bob:s3cr3t@host.example/x", "s3cr3t", "basic-auth-credentials"),
    "token": (
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "wW1gFWFOEjXk",
        "json-web-token",
    ),
    "key": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----",
        "IBAAK",
        "private-key",
    ),
    "unclosed key": ("-----BEGIN OPENSSH PRIVATE KEY-----\nMIIEow\n", "MIIEow", "private-key"),
}
PLAIN = (
    "The door code is 7731, at 12:30 on 2024-05-06.",
    "Order 1234567890 is on its way, and the password is where it always was.",
    "Version 2.17 came out; room 12345678 is on floor 3.",
    "The commit is fef078051120d26dd7b4a3c1fcf783bffeb797d5.",
    "It took 12:22:46.116689937 at https://example.org/photo/160060676-moon.jpg on 078051120.",
    "Order 800-555-0199 and part no. 415-555-2672 are here, flight 212 555 0188 is late.",
    "The serial is 219-09-9998. Read section 3.2.1.4 and version 115.0.1.2, or v10.1.0.9.",
    "Call std::vector, a::b and face::add at 12:30.",
    "The password: I forgot it, and the secret: the cake.",
    "東京タワー 🔭 at night, and secret meetings about passwords.",
    "",
)


def without(text: str) -> str:
    """What is kept of a text."""
    return redaction.redacted(Message(text=text, role="user"))[0].text


@requirement("intake:redaction:markers")
@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("around", ["{}", "Before {} after", "{}\n{}", "x" * 5_000 + " {} end"])
def test_a_secret_is_marked_by_its_kind_wherever_it_stands(name: str, around: str) -> None:
    """Whole, to the end of its token, also far into a long line and more than once."""
    said, secret, kind = SECRETS[name]

    left = without(around.replace("{}", said))

    assert secret not in left
    assert f"[redacted: {kind}]" in left
    assert without(left) == left


@requirement("intake:redaction:markers", "intake:redaction:ordinary-numbers")
@pytest.mark.parametrize("text", PLAIN)
def test_what_is_neither_secret_nor_personal_stays_as_it_was(text: str) -> None:
    """Dates, times, versions, room numbers and other scripts."""
    message = Message(text=text, role="user")

    assert redaction.redacted(message) == (message, 0)


@requirement("intake:redaction:markers")
def test_no_ordinary_text_of_these_holds_a_secret_of_these() -> None:
    """Or the test below could not tell one from the other."""
    assert not [secret for _, secret, _ in SECRETS.values() if secret in "\n".join(PLAIN)]


@requirement("intake:redaction:markers")
@given(pieces=st.lists(st.sampled_from(sorted(SECRETS)) | st.sampled_from(PLAIN), max_size=6))
def test_all_of_several_secrets_go_and_the_rest_stays(pieces: list[str]) -> None:
    """Any of them in any order, a line each."""
    lines = [SECRETS[piece][0] if piece in SECRETS else piece for piece in pieces]
    kept = [line for line in lines if line in PLAIN]

    left = without("\n\n".join(line for line in lines if "BEGIN OPENSSH" not in line))

    assert not [piece for piece in pieces if piece in SECRETS and SECRETS[piece][1] in left]
    assert all(line in left for line in kept)


class Reader:
    """A pattern that finds nothing, and notes how much it was given to read at once."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def finditer(self, text: str, start: int, end: int) -> tuple[()]:
        """Nothing, in so many characters."""
        self.read.append(min(end, len(text)) - start)
        return ()


@requirement("intake:redaction:linear")
@pytest.mark.parametrize("size", [100, 5_000, 60_000, 240_000])
def test_no_pattern_reads_more_than_a_window_at_once(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Some take time by the square of what they read: all of a long line, and little of it twice."""
    reader = Reader()
    monkeypatch.setattr(redaction, "_patterns", lambda: (("kind", reader, None),))

    assert redaction.found("://a:" * (size // 5)) == []

    assert max(reader.read) <= 4_096
    assert size <= sum(reader.read) <= 1.5 * size


# What takes time by the square of its length where each find is followed to its end, or each
# beginning tried to the end of the text.
REPEATED = ("eyJa.", "AKIA", "1.", "ghp_", "a!", "a@b.", "1.2.3.4 ", "A plain word, and 7. ")


@requirement("intake:redaction:linear")
@pytest.mark.parametrize("piece", REPEATED)
def test_four_times_as_much_takes_no_more_than_some_four_times_as_long(piece: str) -> None:
    """Whatever is repeated; by the square it would be sixteen times."""

    def took(characters: int) -> float:
        text = piece * (characters // len(piece))
        started = time.process_time()
        redaction.found(text)
        return time.process_time() - started

    took(1_000)

    assert took(80_000) < 9 * max(took(20_000), 0.05)


@requirement("intake:redaction:markers")
@pytest.mark.parametrize("before", ["", "x" * 700, "x" * 5_000, "9 " * 700, "word " * 400])
@pytest.mark.parametrize("behind", ["", "! " + "x" * 5_000, " 9" * 900, " and more" * 300])
@pytest.mark.parametrize("secret", ["ann.miller@example.org", "415-555-2671", "192.168.7.20"])
def test_what_is_personal_is_found_where_pieces_meet(before: str, behind: str, secret: str) -> None:
    """At every distance from where a long text is cut."""
    for shift in range(0, 1_024, 37):
        left = without("y" * shift + before + " / " + secret + behind)

        assert secret not in left
        assert "[redacted: " in left


@requirement("intake:redaction:markers")
@pytest.mark.parametrize("length", [200, 1_000, 3_000, 9_000])
def test_an_address_longer_than_a_piece_goes_whole(length: int) -> None:
    """Its name or its host may be of any length."""
    for address in ("n" * length + "@example.org", "ann@" + "host." * length + "org"):
        left = without(f"Write to {address} now.")

        assert (left == "Write to [redacted: email] now.") is True


@requirement("intake:redaction:markers")
def test_what_a_removed_block_would_put_together_is_found() -> None:
    """A memory's own blocks are out first; how much was taken out is still known."""
    block = '<muniment-recall note="x">x</muniment-recall>'
    message = Message(text=f"AKIA{block}IOSFODNN7EXAMPLE", role="user")

    left, count = redaction.redacted(message)

    assert (left.text, count, left.stripped) == ("[redacted: aws-access-key]", 1, len(block))
