"""`conversations.json` of a ChatGPT export: an array of conversations, each a tree of messages.

Older shapes are read too: an object with `conversations`, or one conversation alone.  Only the
active branch is taken, from `current_node` up to the root; answers that were regenerated or
questions that were edited away stay behind and are counted.  A node without a parent hangs on the
one that names it as a child.  Where the tree is none (a parent is missing or below, a second node
with a message has no parent) all is taken, in the file's order and parents first; a `current_node`
that is no node counts as absent; both are told.  Turns have the order "high", also without a time.

Passed over without a word, because they hold none: nodes without a message (the root), messages
whose known kind of content is empty (blank system prompts, empty parts, an empty display) and
that carry no file.  A hidden message with words is taken, and its metadata says `"hidden": true`.
All else that cannot be taken is reported where it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from datetime import tzinfo
from typing import Any, BinaryIO, get_args

import msgspec

from muniment import limits
from muniment.errors import BadInput, BadShape, BadTime, NoText, UnknownRole
from muniment.importers import branches, parts, reading
from muniment.model import canonical
from muniment.model.event_kinds import ExperienceType, Role
from muniment.model.turn import Failed, Options, Passed, Turn

NAME = "chatgpt"
SUFFIXES: tuple[str, ...] = (".json",)

# A conversation of years with tool results still fits; memory holds one at a time.
CONVERSATION_BYTES_MAX = 16 * limits.IMPORT_ITEM_BYTES_MAX

_DIGEST_DOMAIN = b"muniment/import/chatgpt/1"
_START = re.compile(rb"\s*[\[{]")
_MAPPING = re.compile(rb'(?<!\\)"mapping"\s*:\s*\{')
_BESIDE = re.compile(rb'(?<!\\)"(?:current_node|children|conversation_id|message)"\s*:')

# Where each known kind of content keeps its words, in the order they are read.
_WORDS: dict[str, tuple[str, ...]] = {
    "text": (),
    "multimodal_text": (),
    "code": ("text",),
    "execution_output": ("text",),
    "citable_code_output": ("output_str",),
    "computer_output": ("text",),
    "system_error": ("name", "text"),
    "tether_browsing_display": ("result", "summary"),
    "tether_quote": ("title", "url", "text"),
    "sonic_webpage": ("title", "url", "text"),
    "user_editable_context": ("user_profile", "user_instructions"),
    "model_editable_context": ("model_set_context",),
    "thoughts": (),
    "reasoning_recap": ("content",),
}
_WORDS_ELSEWHERE = ("text", "result", "summary", "content")
# These are told apart from what was said aloud.
_CAPTIONED = {"thoughts": "thoughts", "reasoning_recap": "reasoning"}
_BY_SYSTEM = ("user_editable_context", "model_editable_context")
_RESULTS = ("execution_output", "tether_browsing_display")
_ROLES: dict[str, Role] = {role: role for role in get_args(Role) if role != "narrator"}
_ROLES["developer"] = "system"


class _Conversation(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    thread: str
    title: str | None
    tz: tzinfo | None


def recognises(head: bytes, name: str) -> bool:
    """Whether it is one JSON text, by its name, and a conversation's `mapping` is in the head."""
    begins = _START.match(head.removeprefix(reading.BOM))
    lined = name.lower().endswith((".jsonl", ".ndjson"))
    return bool(begins and not lined and _MAPPING.search(head) and _BESIDE.search(head))


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed | Passed]:
    """The turns of each conversation's active branch, from its root down."""
    listed = False
    for value in reading.values(file, options, ("conversations",), CONVERSATION_BYTES_MAX):
        if isinstance(value, Failed):
            yield value
            continue
        # What stands around a list of conversations is about none of them.
        listed = listed or value.before
        if listed and value.at == "$":
            continue
        try:
            found = reading.decode(value.raw, value.at)
            if not isinstance(found, dict) or "mapping" not in found:
                raise BadShape("a conversation is an object with `mapping`")
            yield from _conversation(found, value.at, options.tz)
        except BadInput as error:
            yield reading.failed(value.at, error)


def _conversation(
    members: dict[str, Any], at: str, tz: tzinfo | None
) -> Iterator[Turn | Failed | Passed]:
    nodes: dict[str, dict[str, Any]] = {}
    mapping = members["mapping"]
    if not isinstance(mapping, dict):
        yield _misshapen(f"{at}.mapping", "an object", mapping)
        return
    for node_id, node in mapping.items():
        if isinstance(node, dict):
            nodes[node_id] = node
        else:
            yield _misshapen(f"{at}.mapping.{node_id}", "an object", node)
    current = members.get("current_node")
    if current is not None and not isinstance(current, str):
        yield _misshapen(f"{at}.current_node", "a string", current)
        current = None
    if not nodes:
        return
    _hang(nodes)
    branch, left = yield from _chosen(nodes, current, at, tz)
    conversation = yield from _about(members, branch, at, tz)
    yield from _turns(nodes, branch, conversation)
    # A node that says nothing leaves nothing behind.
    count = sum(any(map(bool, _turns(nodes, [each], conversation))) for each in left)
    if count:
        yield Passed(at=at, kind="left_branch", count=count)


def _hang(nodes: dict[str, dict[str, Any]]) -> None:
    """Each node that names no parent hangs on the one that names it as a child."""
    for parent, node in nodes.items():
        children = node.get("children")
        for child in children if isinstance(children, list) else ():
            known = nodes.get(child) if isinstance(child, str) and child != parent else None
            if known is not None and known.get("parent") is None:
                known["parent"] = parent


def _tree(nodes: dict[str, dict[str, Any]], at: str) -> branches.Tree:
    """How the nodes hang together; one without a message may begin the conversation."""
    found = []
    bad: list[Failed] = []
    for name, node in nodes.items():
        parent, where = node.get("parent"), f"{at}.mapping.{name}.parent"
        if parent is not None and not isinstance(parent, str):
            bad.append(_misshapen(where, "a string", parent))
            parent = None
        first = parent is None and node.get("message") is None
        found.append(branches.Node(at=where, name=name, parent=parent, first=first))
    tree = branches.tree(found)
    return msgspec.structs.replace(tree, faults=bad + tree.faults, sound=tree.sound and not bad)


def _chosen(
    nodes: dict[str, dict[str, Any]], current: str | None, at: str, tz: tzinfo | None
) -> Generator[Failed, None, tuple[list[str], list[str]]]:
    """The ids of the branch that ends in `current` or last, and the others, where it is a tree."""
    names = list(nodes)
    tree = _tree(nodes, at)
    yield from tree.faults

    def created(place: int) -> int:
        message = nodes[names[place]].get("message")
        try:
            at_ms = _created_ms(message, "", tz) if isinstance(message, dict) else None
        except BadInput:
            at_ms = None
        return limits.TIME_MS_MIN if at_ms is None else at_ms

    if current and current not in nodes:
        yield branches.astray(current, f"{at}.current_node")
    named = names.index(current) if current and current in nodes else None
    branch, left = tree.parted(named, created)
    return [names[place] for place in branch], [names[place] for place in left]


def _about(
    members: dict[str, Any], branch: list[str], at: str, tz: tzinfo | None
) -> Generator[Failed, None, _Conversation]:
    """What the turns of a conversation share; a field that cannot be used is told and left out."""
    found: dict[str, str] = {}
    for name in ("conversation_id", "id", "title"):
        try:
            value = _name(members, name, at)
        except BadInput as error:
            yield reading.failed(f"{at}.{name}", error)
            continue
        if value is not None:
            found[name] = value
    thread = found.get("conversation_id") or found.get("id")
    if thread is None:
        # The title, the time and where it began stay the same while a conversation goes on.
        created = members.get("create_time")
        created = created if isinstance(created, int | float | str) else None
        origin = [found.get("title"), created, branch[:2]]
        thread = canonical.digest(_DIGEST_DOMAIN, json.dumps(origin).encode())[:16].hex()
    return _Conversation(at=at, thread=thread, title=found.get("title"), tz=tz)


def _turns(
    nodes: dict[str, dict[str, Any]], branch: list[str], conversation: _Conversation
) -> Iterator[Turn | Failed]:
    """The turns along a branch, each linked to the one before it that was taken."""
    parent: str | None = None
    user: str | None = None
    call: str | None = None
    taken: set[str | None] = set()
    for node_id in branch:
        at = f"{conversation.at}.mapping.{node_id}"
        try:
            turn = _turn(nodes[node_id], node_id, at, conversation)
        except BadInput as error:
            yield reading.failed(error.at or at, error)
            continue
        if turn is None:
            continue
        # Two nodes of one id would be one message; the node's own id tells them apart.
        external_id = node_id if turn.external_id in taken else turn.external_id
        reply_to = user if turn.role == "assistant" else call if turn.role == "tool" else None
        turn = msgspec.structs.replace(
            turn, external_id=external_id, parent=parent, reply_to=reply_to
        )
        taken.add(external_id)
        parent = external_id
        if turn.role == "user":
            user = external_id
        elif turn.type == "tool_call":
            call = external_id
        yield turn


def _turn(
    node: dict[str, Any], node_id: str, node_at: str, conversation: _Conversation
) -> Turn | None:
    """The turn of a node, not yet linked; None where there is nothing to take.

    Raises:
        BadInput: a field is of the wrong type, no text, or said by nobody known; `at` says where.
    """
    message = _object(node, "message", node_at)
    if message is None:
        return None
    at = f"{node_at}.message"
    content = _object(message, "content", at) or {}
    metadata = _object(message, "metadata", at) or {}
    author = _object(message, "author", at) or {}
    kind = _string(content, "content_type", f"{at}.content") or "text"
    text, markers = _said(content, kind, f"{at}.content")
    markers.extend(_attached(metadata, f"{at}.metadata"))
    text = parts.wording([text], markers)
    if not text.strip():
        if kind in _WORDS:
            return None
        raise NoText(f"nothing of {kind[:40]!r} is text", at=f"{at}.content")
    if kind in _CAPTIONED:
        markers.append(_CAPTIONED[kind])
    role = _role(author, kind, f"{at}.author")
    recipient = _string(message, "recipient", at) or "all"
    type: ExperienceType = "message"
    if role == "tool" or kind in _RESULTS:
        type = "tool_result"
    elif role == "assistant" and recipient != "all":
        type = "tool_call"
    more = {
        "title": conversation.title,
        "model": _string(metadata, "model_slug", f"{at}.metadata"),
        "recipient": recipient if recipient != "all" else None,
        "hidden": metadata.get("is_visually_hidden_from_conversation") is True or None,
    }
    more = {name: said for name, said in more.items() if said}
    turn = Turn(
        at=reading.shown(node_at),
        role=role,
        text=text,
        type=type,
        actor=_name(author, "name", f"{at}.author"),
        at_ms=_created_ms(message, at, conversation.tz),
        said_at=parts.worded(message.get("create_time")),
        caption=", ".join(markers) or None,
        external_id=_name(message, "id", at) or node_id,
        namespace=f"chatgpt:{conversation.thread}",
        metadata=parts.json_text(more) if more else None,
        session=conversation.thread,
        thread=conversation.thread,
    )
    for said in (turn.text, turn.caption, turn.external_id):
        canonical.check_text(said or "", at)
    return turn


def _said(content: dict[str, Any], kind: str, at: str) -> tuple[str, list[str]]:
    """The words of a message's content, and a marker for each part that has none."""
    texts = [_string(content, name, at) or "" for name in _WORDS.get(kind, ())]
    markers: list[str] = []
    if kind not in _WORDS:
        # Of a kind not known yet, what is a string is words and the rest is left alone.
        found = [content.get(name) for name in _WORDS_ELSEWHERE]
        texts.extend(text for text in found if isinstance(text, str))
    for where, thought in _objects(content, "thoughts", at):
        texts.extend(_string(thought, name, where) or "" for name in ("summary", "content"))
    pieces = content.get("parts")
    if pieces is not None and not isinstance(pieces, list):
        raise _shape("an array", pieces, f"{at}.parts")
    for index, piece in enumerate(pieces or ()):
        text, marker = _piece(piece, f"{at}.parts[{index}]")
        texts.append(text)
        markers.extend([marker] if marker else [])
    if not markers and not any(text.strip() for text in texts):
        # Words of a known kind may stand where those of another do.
        found = [content.get(name) for name in _WORDS_ELSEWHERE]
        texts = [text for text in found if isinstance(text, str)]
    return parts.wording(texts, []), markers


def _piece(piece: Any, at: str) -> tuple[str, str]:
    if piece is None or isinstance(piece, str):
        return piece or "", ""
    if not isinstance(piece, dict):
        raise _shape("a string or an object", piece, at)
    _string(piece, "text", at)
    found = parts.part(piece)
    metadata = _object(piece, "metadata", at) or {}
    # What a picture was drawn from is all that says in words what it shows.
    drawn = _object(metadata, "dalle", f"{at}.metadata") or {}
    prompt = _string(drawn, "prompt", f"{at}.metadata.dalle")
    return found.text or prompt or "", found.marker


def _attached(metadata: dict[str, Any], at: str) -> list[str]:
    names = [_name(file, "name", where) for where, file in _objects(metadata, "attachments", at)]
    return [f"file: {name.strip()}" if name else "file" for name in names]


def _role(author: dict[str, Any], kind: str, at: str) -> Role:
    role = _string(author, "role", at)
    if kind in _BY_SYSTEM:
        return "system"
    if role not in _ROLES:
        raise UnknownRole(f"{role!r:.60} is none of {sorted(_ROLES)}", at=f"{at}.role")
    return _ROLES[role]


def _created_ms(message: dict[str, Any], at: str, tz: tzinfo | None) -> int | None:
    try:
        return parts.moment(message.get("create_time"), tz)
    except BadTime as error:
        error.at = f"{at}.create_time"
        raise


def _object(members: dict[str, Any], name: str, at: str) -> dict[str, Any] | None:
    value = members.get(name)
    if value is not None and not isinstance(value, dict):
        raise _shape("an object", value, f"{at}.{name}")
    return value


def _objects(members: dict[str, Any], name: str, at: str) -> list[tuple[str, dict[str, Any]]]:
    """The objects of an array, each with its place."""
    value = members.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _shape("an array", value, f"{at}.{name}")
    found = []
    for index, member in enumerate(value):
        where = f"{at}.{name}[{index}]"
        if not isinstance(member, dict):
            raise _shape("an object", member, where)
        found.append((where, member))
    return found


def _string(members: dict[str, Any], name: str, at: str) -> str | None:
    """A string that can be stored; None where it is null or absent."""
    value = members.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _shape("a string", value, f"{at}.{name}")
    canonical.check_text(value, f"{at}.{name}")
    return value


def _name(members: dict[str, Any], name: str, at: str) -> str | None:
    """A string that is not blank; None where it is, or is null or absent."""
    value = _string(members, name, at)
    return value if value and value.strip() else None


def _shape(wanted: str, found: Any, at: str) -> BadShape:
    return BadShape(f"{wanted} was wanted, not {parts.kind(found)}", at=at)


def _misshapen(at: str, wanted: str, found: Any) -> Failed:
    return reading.failed(at, _shape(wanted, found, at))
