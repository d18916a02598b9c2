"""`conversations.json` of a Claude.ai export: an array of conversations, each with `chat_messages`.

An object with `conversations`, or one conversation alone, is read too.  Older exports list the
messages in order.  Newer ones name each one's parent: then only one branch is taken, up from
`current_leaf_message_uuid` or else from the newest leaf; answers that were regenerated or
questions that were edited away stay behind and are counted.  First messages hang on a uuid of
zeros and are branches too.  Where the tree is none (a parent is missing or below, a uuid is there
twice, a message has no parent and is not the first) every message is taken, in the order of the
file, and the place is told.

A message is as many turns as it has blocks.  The first is called by the message's uuid, the others
by `uuid#1`, `uuid#2`, ..., and a call of a tool by its own id if it has one.  `text`, which says
the blocks again in short, counts only where they say nothing.  What a thinking block holds is kept
in the collection "thinking".  Each attachment with its text extracted is an import of its own
behind the message: told by the narrator if it is a file with a name, by the sender if it was
pasted.  Other files are named in the message's caption.  A conversation's summary is an import at
its end.

A message of a human or an assistant that says nothing and has no file is told where it stands.
Passed over without a word, because they hold none: nodes without any field for words, which only
carry the tree, blank messages of the system, and what stands around a list of conversations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO

import msgspec

from muniment import limits
from muniment.errors import BadInput, BadShape, BlankText, UnknownRole
from muniment.importers import branches, parts, reading
from muniment.importers.parts import Block
from muniment.model import canonical
from muniment.model.event_kinds import Role
from muniment.model.turn import Failed, Options, Passed, Turn

NAME = "claude"
SUFFIXES: tuple[str, ...] = (".json",)

# A conversation with whole documents attached still fits; memory holds one at a time.
CONVERSATION_BYTES_MAX = 16 * limits.IMPORT_ITEM_BYTES_MAX

_DIGEST_DOMAIN = b"muniment/import/claude/1"
_START = re.compile(rb"\s*[\[{]")
_MESSAGES = re.compile(rb'(?<!\\)"chat_messages"\s*:\s*\[')
_ROOT = re.compile(r"0{8}-0{4}-[0-9a-f]{4}-[0-9a-f]{4}-0{12}")  # the parent of a first message
_ROLES: dict[str, Role] = {
    "human": "user",
    "user": "user",
    "assistant": "assistant",
    "system": "system",
}


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    members: dict[str, Any]
    uuid: str | None
    parent: str | None


class _Said(msgspec.Struct, kw_only=True):
    """What the turns of a conversation share, and the last of them."""

    thread: str
    title: str | None
    model: str | None
    last: str | None = None
    asked: str | None = None
    call: str | None = None
    at: str | None = None  # when the present message was made, in the file's words


def recognises(head: bytes, name: str) -> bool:
    """Whether it is one JSON text, by its name, and a list of `chat_messages` is in the head."""
    lined = name.lower().endswith((".jsonl", ".ndjson"))
    begins = _START.match(head.removeprefix(reading.BOM))
    return bool(begins and not lined and _MESSAGES.search(head))


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed | Passed]:
    """The turns of each conversation in its order, and what could not be taken."""
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
            if not isinstance(found, dict) or not isinstance(found.get("chat_messages"), list):
                raise BadShape("a conversation is an object with an array `chat_messages`")
            yield from _conversation(found, value.at, options)
        except BadInput as error:
            yield reading.failed(value.at, error)


def _conversation(
    members: dict[str, Any], at: str, options: Options
) -> Iterator[Turn | Failed | Passed]:
    messages: list[_Message] = []
    for index, found in enumerate(members["chat_messages"]):
        where = f"{at}.chat_messages[{index}]"
        try:
            messages.append(_message(found, where))
        except BadInput as error:
            yield reading.failed(where, error)
    leaf = members.get("current_leaf_message_uuid")
    messages, left = yield from _chosen(messages, leaf, options)
    said = _about(members, messages)
    for message in messages:
        empty = True
        for turn in _turns(message, said, options):
            empty = False
            yield turn
        if empty and _should_speak(message):
            yield reading.failed(message.at, BlankText("the message has no text"))
    # A blank message leaves nothing behind.
    count = sum(any(map(bool, _turns(each, _about(members, []), options))) for each in left)
    if count:
        yield Passed(at=at, kind="left_branch", count=count)
    summary = members.get("summary")
    if isinstance(summary, str) and summary.strip():
        # It is written anew while the conversation goes on; its words tell one from another.
        raw = summary.encode(errors="surrogatepass")
        mark = canonical.digest(_DIGEST_DOMAIN, raw)[:8].hex()
        block = Block(role="narrator", type="import", text=summary, id=f"summary:{mark}")
        yield _taken(block, "user", f"{at}.summary", None, said)


def _message(found: Any, at: str) -> _Message:
    if not isinstance(found, dict):
        raise BadShape(f"a message is an object, not {parts.kind(found)}")
    return _Message(
        at=at,
        members=found,
        uuid=parts.name(found, "uuid"),
        parent=parts.name(found, "parent_message_uuid"),
    )


def _chosen(
    messages: list[_Message], leaf: Any, options: Options
) -> Generator[Failed, None, tuple[list[_Message], list[_Message]]]:
    """The messages of the branch that ends in `leaf` or last, and those of other branches.

    Where nothing hangs on anything, or the tree is none, these are all of them and none.
    """
    known = {message.uuid for message in messages if message.uuid is not None}
    if not any(message.parent in known for message in messages):
        return messages, []
    nodes = []
    for message in messages:
        parent = message.parent
        first = parent is not None and parent not in known and bool(_ROOT.fullmatch(parent))
        parent = None if first else parent
        nodes.append(branches.Node(at=message.at, name=message.uuid, parent=parent, first=first))
    tree = branches.tree(nodes)
    yield from tree.faults
    if not tree.sound:
        return messages, []
    named = [place for place, message in enumerate(messages) if leaf and message.uuid == leaf]

    def created(place: int) -> int:
        try:
            at_ms = parts.moment(messages[place].members.get("created_at"), options.tz)
        except BadInput:
            at_ms = None
        return limits.TIME_MS_MIN if at_ms is None else at_ms

    branch, left = tree.parted(named[0] if named else None, created)
    return [messages[place] for place in branch], [messages[place] for place in left]


def _about(members: dict[str, Any], messages: list[_Message]) -> _Said:
    given = {field: members.get(field) for field in ("uuid", "name", "model", "created_at")}
    found = {field: said for field, said in given.items() if isinstance(said, str) and said.strip()}
    thread = found.get("uuid")
    if thread is None:
        # The title, the time and the first message stay while a conversation goes on.
        origin = [found.get("name"), found.get("created_at"), [m.uuid for m in messages[:1]]]
        thread = canonical.digest(_DIGEST_DOMAIN, json.dumps(origin).encode())[:16].hex()
    return _Said(thread=thread, title=found.get("name"), model=found.get("model"))


def _turns(message: _Message, said: _Said, options: Options) -> Iterator[Turn | Failed]:
    """The turns of one message, each linked to the one before."""
    try:
        sender = parts.string(message.members, "sender")
        if sender not in _ROLES:
            raise UnknownRole(f"{sender!r:.60} is none of {sorted(_ROLES)}")
        role = _ROLES[sender]
        at_ms = parts.moment(message.members.get("created_at"), options.tz)
        blocks = _blocks(message, role)
    except BadInput as error:
        yield reading.failed(message.at, error)
        return
    said.at = parts.worded(message.members.get("created_at"))
    used = 0
    asked: str | None = None
    for block in blocks:
        if isinstance(block, Failed):
            yield block
            continue
        uuid = message.uuid
        named = block.id or (f"{uuid}#{used}" if uuid and used else uuid)
        turn = _taken(msgspec.structs.replace(block, id=named), role, message.at, at_ms, said)
        yield turn
        used += 1
        if isinstance(turn, Turn) and turn.role == "user":
            asked = asked or turn.external_id
    said.asked = asked or said.asked


def _should_speak(message: _Message) -> bool:
    """Whether a message is somebody's, and not a node that only carries the tree."""
    given = any(message.members.get(field) is not None for field in ("text", "content"))
    return given and _ROLES.get(message.members.get("sender", "")) in ("user", "assistant")


def _blocks(message: _Message, role: Role) -> list[Block | Failed]:
    """What a message says and what was attached to it.

    Raises:
        BadShape: its files are no array of objects.
    """
    content = message.members.get("content")
    found = [] if content is None else list(parts.blocks(content, message.at))
    if not found:
        found = list(parts.blocks(parts.string(message.members, "text") or "", message.at))
    pasted: list[Block | Failed] = []
    markers: list[str] = []
    for file in _files(message.members):
        name = parts.name(file, "file_name")
        marker = f"file: {name.strip()}" if name else "file"
        text = parts.name(file, "extracted_content")
        if text is None:
            markers.append(marker)
            continue
        told: Role = "narrator" if name else role
        marked = marker if name else "pasted text"
        pasted.append(Block(role=told, type="import", text=text, markers=(marked,)))
        markers.extend([marker] if name and found else [])
    if markers:
        found = _named(found, tuple(dict.fromkeys(markers)))
    return found + pasted


def _files(members: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for field in ("attachments", "files", "files_v2"):
        value = members.get(field)
        if value is None:
            continue
        if not isinstance(value, list) or not all(isinstance(file, dict) for file in value):
            raise BadShape(f"{field} is an array of objects")
        found.extend(value)
    return found


def _named(found: list[Block | Failed], markers: tuple[str, ...]) -> list[Block | Failed]:
    for index, block in enumerate(found):
        if isinstance(block, Block) and block.type == "message" and block.aside is None:
            changed = msgspec.structs.replace(block, markers=(*block.markers, *markers))
            return [*found[:index], changed, *found[index + 1 :]]
    return [Block(text=parts.wording([], list(markers)), markers=markers), *found]


def _taken(block: Block, role: Role, at: str, at_ms: int | None, said: _Said) -> Turn | Failed:
    """The turn of a block, which the next one will hang on; or why it is none."""
    fields = parts.block_fields(block, role)
    if block.type == "tool_result":
        fields["reply_to"] = block.reply_to or said.call
    elif fields["role"] == "assistant" and block.aside is None:
        fields["reply_to"] = said.asked
    more: dict[str, Any] = {"title": said.title, "model": said.model, "error": block.failed}
    more = {field: value for field, value in more.items() if value}
    try:
        turn = Turn(
            at=at,
            at_ms=at_ms,
            said_at=said.at,
            external_id=block.id,
            metadata=parts.json_text(more) if more else None,
            namespace=f"claude:{said.thread}",
            parent=said.last,
            session=said.thread,
            thread=said.thread,
            **fields,
        )
        turn = parts.storable(turn)
    except BadInput as error:
        return reading.failed(at, error)
    said.last = turn.external_id or said.last
    if turn.type == "tool_call":
        said.call = turn.external_id or said.call
    return turn
