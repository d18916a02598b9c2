"""Tables: columns by their names, rows by their lines, and cells that do not fit."""

from __future__ import annotations

import csv
import io
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.importers import table
from muniment.model.turn import Failed, Options, Turn
from tests.importers.files import failures, texts, told, turns
from tests.requirements.marker import requirement


@requirement("importers:table:columns")
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_each_row_is_a_message_with_the_fields_its_columns_name(
    separator: str, end: str, mark: str
) -> None:
    """The fields are those of JSON lines; other columns are kept as metadata."""
    rows = [
        ["Role", "Content", "Name", "Created At", "thread", "id", "reply_to", "tags", "mood"],
        ["assistant", "Ten.", "Mira", "2024-05-01T10:00Z", "t", "2", "1", "a | b", "calm"],
        ["tool", " four ", "", "1714557600", "", "3", "", '["x", "y"]', ""],
    ]
    file = mark + "".join(separator.join(quoted(row, separator)) + end for row in rows)

    first, second = turns(table, file.encode())

    assert (first.role, first.type, first.text, first.actor) == (
        *("assistant", "message", "Ten."),
        "Mira",
    )
    assert (first.thread, first.external_id, first.reply_to) == ("t", "2", "1")
    assert (first.at_ms, first.ordering) == (1_714_557_600_000, "high")
    assert (first.tags, first.metadata) == (("a | b",), '{"mood":"calm"}')
    assert (second.role, second.type, second.text) == ("tool", "tool_result", " four ")
    assert (second.at_ms, second.thread, second.metadata) == (1_714_557_600_000, None, None)
    assert second.tags == ("x", "y")
    assert [first.at, second.at] == ["line:2", "line:3"]


def quoted(row: list[str], separator: str) -> list[str]:
    """The cells as a spreadsheet writes them."""
    special = {separator, '"', "\n", "\r"}
    return ['"' + cell.replace('"', '""') + '"' if special & set(cell) else cell for cell in row]


@requirement("importers:table:lines")
def test_a_row_keeps_its_lines_also_where_a_cell_has_line_ends() -> None:
    """A line number leads to the row in an editor, not to the count of rows."""
    file = (
        b"role,text\r\n"
        b'user,"one\r\n""two"", three\r\n"\r\n'
        b"\r\n"
        b'"assistant","four"\r\n'
        b",\r\n"
        b'user,5" pipe'
    )

    found = turns(table, file)

    assert [turn.text for turn in found] == ['one\r\n"two", three\r\n', "four", '5" pipe']
    assert [turn.lines for turn in found] == [(2, 4), (6, 6), (8, 8)]
    assert [turn.at for turn in found] == ["line:2", "line:6", "line:8"]


@requirement("importers:table:cells")
@pytest.mark.parametrize(
    ("row", "code"),
    [
        (b"user", "bad_shape"),
        (b"user,a,,", "bad_shape"),
        (b'user,"a"b,', "bad_shape"),
        (b",a,", "bad_shape"),
        (b"Ann,a,", "unknown_role"),
        (b"user,,2024-05-01T10:00Z", "blank_text"),
        (b"user,a,noon", "bad_time"),
        (b"user,a,2024-05-01T10:00", "bad_time"),
        (b"user,\xff,", "bad_encoding"),
        (b"user,a\0,", "bad_encoding"),
    ],
)
def test_a_broken_row_fails_alone_with_its_line(row: bytes, code: str) -> None:
    """A cell too many or too few would put words into the wrong column."""
    file = b'role,text,at\nuser,"one\n1",\n' + row + b"\nuser,two,\n"

    assert failures(table, file) == [("line:4", code)]
    assert texts(told(table, file)) == ["one\n1", "two"]


@pytest.mark.parametrize("rest", [b"two,\n", b"two,\nuser,three", b"\n" * 9, b'two""'])
def test_a_quote_that_is_never_closed_says_where_it_began(rest: bytes) -> None:
    """What stands behind it may be anything, so nothing of it is taken."""
    file = b'role,text\nuser,one\nuser,"' + rest

    assert failures(table, file) == [("line:3", "bad_shape")]
    assert texts(told(table, file)) == ["one"]


@requirement("importers:table:columns")
def test_a_column_body_is_the_text_where_no_other_is() -> None:
    """Beside a text it stays what it was; the type `text` says nothing."""
    (alone,) = turns(table, b"role,body,type\nuser,Hi.,text\n")
    (beside,) = turns(table, b"role,body,text\nuser,Hi.,Ho.\n")

    assert (alone.text, alone.type, alone.metadata) == ("Hi.", "message", None)
    assert (beside.text, beside.metadata) == ("Ho.", '{"body":"Hi."}')


@requirement("importers:table:speakers")
def test_without_roles_the_actors_tell_who_is_an_assistant() -> None:
    """In a group chat everybody is a user but the bots."""
    file = b"sender,message\nAnn,a\nBot,b\nChatGPT,c\nassistant,d\nSystem,e\n"

    found = turns(table, file)

    assert [(turn.role, turn.actor) for turn in found] == [
        ("user", "Ann"),
        ("assistant", "Bot"),
        ("assistant", "ChatGPT"),
        ("assistant", "assistant"),
        ("system", "System"),
    ]


@requirement("importers:table:speakers")
@pytest.mark.parametrize(
    ("file", "code"),
    [
        (b"", "bad_shape"),
        (b"\r\n \n", "bad_shape"),
        (b"text,at\na,\nb,\n", "bad_shape"),
        (b"role,actor\nuser,Ann\n", "bad_shape"),
        (b"role,text,role\nuser,a,b\n", "bad_shape"),
        (b'role,"text\nuser,a\n', "bad_shape"),
        (b"role\xff,text\nuser,a\n", "bad_encoding"),
        (b"role,text," + b"x" * 70_000 + b"\nuser,a,\n", "too_long"),
        (b"role,text," + b",".join(b"%d" % n for n in range(300)) + b"\n", "too_long"),
    ],
)
def test_a_table_that_names_no_speaker_or_text_fails_once(file: bytes, code: str) -> None:
    """Nothing in it could be taken, and one line says why."""
    assert failures(table, file) == [("line:1", code)]
    assert len(told(table, file)) == 1


@requirement("importers:table:names-told")
@pytest.mark.parametrize("file", [b"Who;What;When\nAnn;Hello.;noon\n", b"text,at\na,\n"])
def test_a_table_with_other_headings_is_told_what_to_call_them(file: bytes) -> None:
    """Somebody who has a table cannot know our words for what is in it."""
    (failure,) = told(table, file)

    assert isinstance(failure, Failed)
    for names in ("role", "text (or content, ", "actor (or name, ", "at (or timestamp, "):
        assert names in failure.detail


@requirement("importers:every:times")
@pytest.mark.parametrize("name", ["createdAt", "CREATEDAT", "sentAt", "sent_at", "Sent At", "ts"])
def test_a_column_of_times_may_be_called_as_in_json(name: str) -> None:
    """In any case, as all columns."""
    (turn,) = turns(table, f"role,text,{name}\nuser,Hi.,1767225600\n".encode())

    assert (turn.at_ms, turn.metadata) == (1_767_225_600_000, None)


def test_an_actor_is_required_where_it_stands_for_the_role() -> None:
    """Words that nobody said are nobody's."""
    assert failures(table, b"actor,text\n,a\nAnn,b\n") == [("line:2", "bad_shape")]


def test_of_two_names_of_one_field_the_first_in_rank_counts() -> None:
    """The other is kept beside it under its own name."""
    (turn,) = turns(table, b"sender,role,content,name,\nann@x,user,a,Ann,\n")

    assert (turn.actor, turn.metadata) == ("Ann", '{"sender":"ann@x"}')


@pytest.mark.parametrize(
    ("cell", "metadata"),
    [
        ('{"a": 1}', '{"a":1,"mood":"calm"}'),
        ('{"mood": 1}', '{"metadata":{"mood":1},"mood":"calm"}'),
        ("noon", '{"metadata":"noon","mood":"calm"}'),
        ("", '{"mood":"calm"}'),
    ],
)
def test_metadata_and_other_columns_are_one_object(cell: str, metadata: str) -> None:
    """No name of it is said twice."""
    row = ",".join(quoted(["user", "a", cell, "calm"], ","))

    (turn,) = turns(table, f"role,text,metadata,mood\n{row}\n".encode())

    assert turn.metadata == metadata


@pytest.mark.parametrize("label", ["talk.tsv", "TALK.TAB"])
def test_a_file_that_is_named_so_has_tabs(label: str) -> None:
    """A comma in the name of its columns does not mislead."""
    file = io.BytesIO(b"role\ttext\tid,old\nuser\ta, b\t7\n")

    (turn,) = table.turns(file, Options(label=label))

    assert isinstance(turn, Turn)
    assert (turn.text, turn.metadata) == ("a, b", '{"id,old":"7"}')


def test_a_time_without_an_offset_is_read_in_the_zone_of_the_options() -> None:
    """As in every other format."""
    (turn,) = turns(table, b"role,text,at\nuser,a,2024-05-01 12:00\n", ZoneInfo("Europe/Berlin"))

    assert turn.at_ms == 1_714_557_600_000


def test_a_hint_for_excel_is_no_row() -> None:
    """Some programs write the separator into the first line."""
    (turn,) = turns(table, b"sep=;\r\nrole;text\r\nuser;a\r\n")

    assert (turn.text, turn.lines) == ("a", (3, 3))


CELLS = st.text('ab ",;\t\n\r\u00e9', max_size=8)


@given(
    rows=st.lists(st.tuples(st.text("ab", min_size=1), CELLS), max_size=6),
    separator=st.sampled_from(",;\t"),
    all_quoted=st.booleans(),
)
def test_what_the_csv_module_writes_is_read_back(
    rows: list[tuple[str, str]], separator: str, all_quoted: bool
) -> None:
    """Its dialect is what most programs write; the text of a cell comes back as it stood."""
    held = io.StringIO(newline="")
    writer = csv.writer(
        held,
        delimiter=separator,
        quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerows([("actor", "text"), *rows])

    found = told(table, held.getvalue().encode())

    assert texts(found) == [text for _, text in rows if text.strip()]
    assert len(found) == len(rows)


@given(file=st.text('role,text;\t"\n\rab', max_size=80).map(lambda said: f"role,text\n{said}"))
def test_any_rows_come_out_as_turns_and_failures_in_order(file: str) -> None:
    """Nothing that a table holds makes the importer raise, and no line is told twice."""
    found = told(table, file.encode())

    places = [int(item.at.removeprefix("line:")) for item in found]
    assert places == sorted(set(places))
    assert all(turn.text.strip() for turn in found if isinstance(turn, Turn))
