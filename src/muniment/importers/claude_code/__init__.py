"""Transcripts of Claude Code: one JSON object a line, or an object with `loglines`.

A line of type user or assistant is as many turns as its message has blocks.  The first is called
by the line's uuid, the others by `uuid#1`, `uuid#2`, ..., and a call of a tool by its own id; a
result replies to that id, an answer to the prompt before it.  What a thinking block holds is kept
in the collection "thinking", and what the program wrote in the user's name (reminders, hooks,
expanded commands, lines with `isMeta`) with role system in the collection "meta": recall sees
these where they are named.  `prompts` says what counts as typed by the user.

A uuid names a line whatever session tells it: a session that is gone on with, or forked, begins
with copies of the lines before, and what is known already is not taken in twice.  Ids of another
shape count within their session.

A session is a thread.  What a subagent did is the thread `session#agent`, also where it stands in
lines of progress, and the prompt it was given is the assistant's.  Summaries and titles are
imports told by the narrator.  A session that was rewound keeps all its branches; `parent` tells
them apart.

Passed over, because they hold no experience: snapshots of files, progress of hooks and commands,
modes, system lines without words, blank text, sealed thoughts, the queue (what was queued comes
again when it is taken up), and `toolUseResult`, which says again what the result's block says.
`others` says which lines are counted besides.  A line without `type` or a known shape fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from muniment import limits
from muniment.errors import BadInput, BadShape, TooLong
from muniment.importers import parts, reading
from muniment.importers.claude_code import others
from muniment.importers.claude_code.prompts import META, prompts
from muniment.importers.parts import Block
from muniment.model import canonical
from muniment.model.event_kinds import Role
from muniment.model.turn import Failed, Options, Passed, Turn

NAME = "claude_code"
SUFFIXES: tuple[str, ...] = (".jsonl", ".json")

# Lines that are remembered to link later ones to; further back a parent is called by its uuid.
LINKS_MAX = 16_384

_DIGEST_DOMAIN = b"muniment/import/claude_code/1"
_START = re.compile(rb"\s*[{\[]")
_DOCUMENT = re.compile(rb'\s*(?:\[|\{\s*"loglines"\s*:)')
_TYPED = re.compile(rb'(?<!\\)"type"\s*:\s*"(?:user|assistant|system|summary|progress|file-)')
_OWN = re.compile(
    rb'(?<!\\)"(?:isSidechain|parentUuid|leafUuid|isSnapshotUpdate|parentToolUseID|loglines)"\s*:'
)
_SESSION = re.compile(rb'(?<!\\)"sessionId"\s*:\s*"([\x20\x21\x23-\x5b\x5d-\x7e]{1,200})"')
_UUID, _MESSAGE = re.compile(rb'(?<!\\)"uuid"\s*:'), re.compile(rb'(?<!\\)"message"\s*:\s*\{')
_UNIQUE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEADINGS = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}
_AROUND = ("cwd", "gitBranch", "version")


class _Link(msgspec.Struct, frozen=True, kw_only=True):
    """What a later line that hangs on this one needs to know."""

    said: str | None  # the last turn up to here
    asked: str | None  # the last prompt up to here
    chain: str | None = None  # the subagent


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    lines: tuple[int, int] | None
    members: dict[str, Any]
    kind: str
    session: str | None
    uuid: str | None
    chain: str | None
    thread: str
    before: _Link
    at_ms: int | None = None


class _Transcript(msgspec.Struct):
    """What is known of the file so far, bounded by `LINKS_MAX`."""

    options: Options
    session: str | None
    links: dict[str, _Link] = {}
    latest: dict[str, _Link] = {}  # of each thread
    tools: dict[str, str] = {}  # names, by the id of a call
    queue: dict[str, str] = {}  # where prompts stand that wait, by their words


def recognises(head: bytes, name: str) -> bool:  # noqa: ARG001 - the members alone tell
    """Whether lines in the head have the members that only Claude Code writes."""
    if not _START.match(head.removeprefix(reading.BOM)) or not _TYPED.search(head):
        return False
    plain = all(wanted.search(head) for wanted in (_SESSION, _UUID, _MESSAGE))
    return plain or bool(_OWN.search(head))


def turns(file: BinaryIO, options: Options) -> Iterator[Turn | Failed | Passed]:
    """The turns of each line in the order of the file, and the lines that are none."""
    head, file = reading.peek(file)
    # A summary stands before the first line that names the session.
    session = _SESSION.search(head)
    transcript = _Transcript(options, session[1].decode() if session else None)
    if _DOCUMENT.match(head.removeprefix(reading.BOM)):
        yield from _from_document(file, transcript)
    else:
        yield from _from_lines(file, transcript)
    for at in transcript.queue.values():
        yield Passed(at=at, kind="other_line")


def _from_lines(file: BinaryIO, transcript: _Transcript) -> Iterator[Turn | Failed | Passed]:
    size_max = limits.IMPORT_ITEM_BYTES_MAX
    for number, line in reading.lines(file, transcript.options, size_max):
        at = f"line:{number}"
        if line is None:
            yield reading.failed(at, TooLong(f"the line is over {size_max} bytes"))
            continue
        yield from _entry(line, at, (number, number), transcript)


def _from_document(file: BinaryIO, transcript: _Transcript) -> Iterator[Turn | Failed | Passed]:
    size_max = limits.IMPORT_ITEM_BYTES_MAX
    listed = False
    for value in reading.values(file, transcript.options, ("loglines",), size_max):
        if isinstance(value, Failed):
            yield value
            continue
        listed = listed or value.before
        if value.at != "$":
            yield from _entry(value.raw, value.at, None, transcript)
        elif not listed:
            yield reading.failed(value.at, BadShape("loglines is an array"))


def _entry(
    raw: bytes, at: str, lines: tuple[int, int] | None, transcript: _Transcript
) -> Iterator[Turn | Failed | Passed]:
    """The turns of one line, and of what a subagent did inside it."""
    try:
        members = reading.decode(raw, at)
        if not isinstance(members, dict):
            raise BadShape(f"a line is an object, not {parts.kind(members)}")
        line = _line(members, at, lines, transcript)
        yield from _linked(line, transcript)
        inner = _by_subagent(line)
        if inner is not None:
            yield from _linked(_line(inner, at, lines, transcript), transcript)
    except BadInput as error:
        yield reading.failed(at, error)


def _linked(line: _Line, transcript: _Transcript) -> Iterator[Turn | Failed | Passed]:
    """The turns of one line, each linked to the one before; later lines can be linked to it."""
    link = line.before
    used = 0
    blocks: list[Block | Failed] = []
    said: list[str] = []
    other = False
    try:
        other = others.is_other(line.kind, line.members)
        at_ms = parts.moment(line.members.get("timestamp"), transcript.options.tz)
        line = msgspec.structs.replace(line, at_ms=at_ms)
        blocks = _blocks(line)
    except BadInput as error:
        yield reading.failed(line.at, error)
    for block in blocks:
        if isinstance(block, Failed):
            yield block
            continue
        try:
            turn = _turn(block, line, used, link, transcript)
        except BadInput as error:
            yield reading.failed(line.at, error)
        else:
            prompt = block.role is None and line.kind != "assistant"
            asked = turn.external_id if prompt else None
            link = _Link(
                said=turn.external_id or link.said, asked=asked or link.asked, chain=line.chain
            )
            said += [turn.text] if turn.type == "message" else []
            yield turn
        used += 1
    late = None
    if line.kind == others.QUEUE:
        late = others.wait(transcript.queue, line.members, line.at)
    elif transcript.queue and line.kind in ("user", others.ATTACHMENT):
        others.come_up(transcript.queue, line.members, said)
    if other or late:
        yield Passed(at=late or line.at, kind="other_line")
    if line.uuid is not None:
        _remember(transcript.latest, line.thread, link)
        _remember(transcript.links, line.uuid, link)


def _line(
    members: dict[str, Any], at: str, lines: tuple[int, int] | None, transcript: _Transcript
) -> _Line:
    """Where a line belongs.

    Raises:
        BadShape: it has no type, or a name in it is no string.
    """
    kind = parts.name(members, "type")
    if kind is None:
        raise BadShape("a line has `type`")
    session = parts.name(members, "sessionId") or parts.name(members, "session_id")
    session = transcript.session = session or transcript.session
    uuid = parts.name(members, "uuid")
    parent = parts.name(members, "parentUuid") or parts.name(members, "logicalParentUuid")
    before = transcript.links.get(parent) if parent else None
    chain = None
    if members.get("isSidechain") is True:
        chain = parts.name(members, "agentId") or (before.chain if before else None)
        chain = chain or uuid or "sidechain"
    thread = session or transcript.options.label
    thread = f"{thread}#{chain}" if chain else thread
    if before is None and parent is None and uuid and "parentUuid" not in members:
        before = transcript.latest.get(thread)
    if before is None:
        before = _Link(said=parent, asked=None, chain=chain)
    elif before.chain != chain:
        before = _Link(said=before.said, asked=None, chain=chain)
    return _Line(
        at=at,
        lines=lines,
        members=members,
        kind=kind,
        session=session,
        uuid=uuid,
        chain=chain,
        thread=thread,
        before=before,
    )


def _by_subagent(line: _Line) -> dict[str, Any] | None:
    """The line of a subagent that a line of progress holds, as its own transcript has it."""
    data = line.members.get("data")
    if line.kind != "progress" or not isinstance(data, dict):
        return None
    inner = data.get("message")
    if data.get("type") != "agent_progress" or not isinstance(inner, dict):
        return None
    around = {name: line.members.get(name) for name in (*_AROUND, "sessionId")}
    return around | inner | {"isSidechain": True, "agentId": data.get("agentId")}


def _blocks(line: _Line) -> list[Block | Failed]:
    """What a line says; nothing, where it holds no experience.

    Raises:
        BadShape: it should say something, and does not say it in a known way.
    """
    members = line.members
    if line.kind in ("user", "assistant"):
        message = members.get("message")
        if not isinstance(message, dict):
            raise BadShape(f"message is an object, not {parts.kind(message)}")
        return _message(message, line)
    if line.kind == others.ATTACHMENT:
        attached = others.queued_prompt(members)
        if attached is None:
            return []
        meta = attached.get("commandMode", "prompt") not in ("prompt", "bash")
        return _typed(parts.blocks(attached.get("prompt"), line.at), line, meta)
    if line.kind == "system":
        content = members.get("content")
        subtype = members.get("subtype")
        if content is None or subtype == "compact_boundary":
            return []
        if not isinstance(content, str):
            raise BadShape(f"content is a string, not {parts.kind(content)}")
        return [*_prompted(Block(text=content), meta=subtype != "local_command")]
    text = parts.name(members, _HEADINGS.get(line.kind, ""))
    if text is None:
        return []
    # A title is written again and again; only its words tell one from another.
    mark = canonical.digest(_DIGEST_DOMAIN, text.encode(errors="surrogatepass"))[:8].hex()
    return [Block(role="narrator", type="import", text=text, id=f"{line.kind}:{mark}")]


def _message(message: dict[str, Any], line: _Line) -> list[Block | Failed]:
    blocks = parts.blocks(message.get("content"), line.at)
    if line.kind == "assistant":
        if message.get("model") != "<synthetic>":
            return [*blocks]
        # No model said this: an error, or a word to fill a turn.
        return [_recast(block, role="system", aside=META) for block in blocks]
    if line.members.get("isCompactSummary") is True:
        return [_recast(block, role="narrator", type="import") for block in blocks]
    return _typed(blocks, line, line.members.get("isMeta") is True)


def _typed(blocks: Iterator[Block | Failed], line: _Line, meta: bool) -> list[Block | Failed]:
    found: list[Block | Failed] = []
    for block in blocks:
        if isinstance(block, Block) and block.type == "message":
            found.extend(_prompted(block, meta))
        else:
            found.append(block)
    if line.chain is None:
        return found
    return [
        msgspec.structs.replace(block, markers=("prompt of a subagent", *block.markers))
        if isinstance(block, Block) and block.role is None
        else block
        for block in found
    ]


def _prompted(block: Block, meta: bool) -> list[Block]:
    """What a text says, and a picture beside it with the first words of whoever the line is."""
    markers = block.markers
    found: list[Block] = []
    for said in prompts(block.text, meta):
        marked = markers if said.role is None else ()
        markers = () if marked else markers
        found.append(
            Block(text=said.text, role=said.role, type=said.type, aside=said.aside, markers=marked)
        )
    if markers:
        found.append(Block(text=parts.wording([], list(markers)), markers=markers))
    return found


def _recast(block: Block | Failed, **changes: Any) -> Block | Failed:
    if isinstance(block, Failed) or block.type != "message":
        return block
    return msgspec.structs.replace(block, **changes)


def _turn(block: Block, line: _Line, used: int, link: _Link, transcript: _Transcript) -> Turn:
    """The turn of one block; `used` counts those of the same line before it.

    Raises:
        BadInput: something in it cannot be stored.
    """
    by_model = line.kind == "assistant" or line.chain is not None
    speaker: Role = "assistant" if by_model else "user"
    fields = parts.block_fields(block, speaker)
    if block.type == "tool_result":
        fields["reply_to"] = block.reply_to or link.said
        fields["actor"] = block.actor or transcript.tools.get(block.reply_to or "")
    elif line.kind == "assistant" and block.aside is None:
        fields["reply_to"] = link.asked
    external_id = block.id
    if external_id is None and line.uuid is not None:
        external_id = f"{line.uuid}#{used}" if used else line.uuid
    if block.type == "tool_call" and block.id and block.actor:
        _remember(transcript.tools, block.id, block.actor)
    anywhere = line.uuid is not None and _UNIQUE.fullmatch(line.uuid) is not None
    within = f"{NAME}:{line.session}" if line.session else None
    turn = Turn(
        at=line.at,
        anywhere=anywhere,
        at_ms=line.at_ms,
        said_at=parts.worded(line.members.get("timestamp")),
        external_id=external_id,
        lines=line.lines,
        metadata=_metadata(block, line.members),
        namespace=NAME if anywhere else within,
        parent=link.said,
        session=line.session or transcript.options.label,
        thread=line.thread,
        **fields,
    )
    return parts.storable(turn)


def _metadata(block: Block, members: dict[str, Any]) -> str | None:
    message = members.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    around = {name: members.get(name) for name in _AROUND} | {"model": model}
    more: dict[str, Any] = {
        name: said for name, said in around.items() if isinstance(said, str) and said
    }
    if block.failed:
        more["error"] = True
    return parts.json_text(more) if more else None


def _remember(known: dict[str, Any], name: str, value: Any) -> None:
    """Keep the newest `LINKS_MAX`."""
    known.pop(name, None)
    known[name] = value
    if len(known) > LINKS_MAX:
        del known[next(iter(known))]
