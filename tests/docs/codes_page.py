"""The reference of codes: what each of them means, and where it is found in the source.

The meanings stand here.  `test_codes.py` looks through the source for codes that have none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import get_args

from muniment.model.contextual import Bound, Code, Reason
from muniment.model.health import Subject
from muniment.model.pack import CORRECTED, Caveat
from muniment.model.policy import Policy
from muniment.model.standing import Outcome, Standing
from muniment.ranking.boosts import BOOSTS
from muniment.ranking.policies import POLICIES
from muniment.retrievers import RETRIEVERS
from tests.tidy.source import MODULES

HEAD = """\
# Codes

Codes are promised: they are never renamed, and new ones may come with any release. Errors have [a page of their own](errors.md), and so have the failures of an import (`failed[].code`), which are errors too.
"""

ANSWERED = "Which retrievers answer a recall. All that the ones under *must be shown* find is shown, or the recall overflows; of the others as much as fits, in one order by their weights."
BOOSTED = "What is added to the scores for what a thing is besides its words, by the weight of the policy. `scorer` is the function that a caller in Python gives, and weighs 1 unless the policy says otherwise."
FOUND_BY = "Why an item is shown: `reasons`; and `retrievers` of `why-not`."
LEFT_OUT = "In `suppressed[].reason` and `reason` of `why-not`; a standing other than current is a reason too. Of a version that something took the place of, the word is how that ended it, where it did: `retracted`, `closed`, `completed`, `done`, `rejected` or `expired`; else `superseded`."
CHANGED = "What has become of an item since a recall: `changes[].code` of `replay`; a standing is a change too, and so are `not_yet_valid` and the words for how a thing ended."
FOUND = "What `verify` finds: `faults[].code`; an error that ends the check stands there with its own code."

EXAMINED = "What `doctor` looks at: `checks[].check`. `checks[].state` is `ok`, `warning`, `failed` (exit code 1) or `not_checked`, and `advice` says what to do."

STANDINGS = {
    "current": "it stands",
    "superseded": "a newer version has taken its place",
    "retracted": "it was taken back",
    "stale": "a summary, and something it rests on has changed or ended",
    "expired": "the time is over for which it was said to hold",
    "withdrawn": "what it rests on was taken back, has expired or is erased",
    "proposed": "it waits for a decision",
    "rejected": "it was decided against",
    "erased": "its content is gone",
}

LABELS = {
    "anchor": "in `context`: the event that was asked for",
    "before": "in `context`: stands before it in its thread",
    "after": "in `context`: stands after it in its thread",
    "child": "in `context`: belongs under it",
    "reply": "in `context`: answers it",
    "corrected": "experience of type `correction` answers it (`--reply-to`)",
    "passage": "a part of a long text; `span` says which characters",
}
SOURCE_LABEL = "a record one of whose sources has this standing"

RETRIEVER_MEANINGS = {
    "required": "it was named with `--require` or `--pin`",
    "requirements": "it must be said in the task that was asked about, to everybody or to somebody who takes part",
    "open_tasks": "it is an open task",
    "lexical": "its words fit the question",
    "tasks": "it is an open task, named with `--require` or `--pin` where any is",
    "nearby": "it covers the question together with the messages beside it",
    "synonyms": "it says words that mean nearly the same as the question's",
    "similar": "a model says that it means nearly the same",
    "recent": "it is among the newest",
    "dated": "it was said on a day that the question names",
    "corrections": "it corrects a message that was found",
    "appraisals": "it assesses what stands before it, and more is at stake in it than in any other appraisal of that",
}

BESIDES = {
    "appraised": "an appraisal of it stands behind it, which raised it",
}

OUTCOMES_HEAD = "How something ended for good that a newer version has taken the place of: `outcome`, and in its stead a reason for leaving out and a change. Null where what took its place goes on."
OUTCOMES = {
    "retracted": "it was taken back",
    "closed": "a task, and it was closed",
    "completed": "an intention, and it was completed",
    "done": "a requirement, and it is done",
    "rejected": "it was decided against",
    "expired": "it was said to be over",
}

REASONS = {
    "budget_bytes": "it does not fit into what is left of the bytes",
    "budget_items": "the pack holds as many things as it may",
    "budget_tokens": "the caller's own measure said that it does not fit",
    "not_yet_valid": "the time has not begun for which it is said to hold",
    "not_experience": "the question asks for something that only experience has, and this is none",
    "thread": "it is of another thread",
    "session": "it is of another session",
    "session_excluded": "it is of the session that was left out",
    "role": "somebody else said it",
    "type": "it is experience of another type",
    "collection": "it is in a collection that was not named",
    "tags": "it lacks a tag",
    "before_window": "it is older than `--since`",
    "undated": "nobody said when it was said, and a window of time was asked for",
    "after_window": "it is not older than `--until`",
    "other_task": "it is bound to a task that was not asked about",
    "other_participant": "it concerns somebody who does not take part, as far as is known",
    "not_pending": "it is bound to a task and is done",
    "below_floor": "it is less like the question than `--floor` asks for",
    "appraisal_alone": "an appraisal enters with what it assesses or not at all",
    "after_moment": "it was said after the moment of `--as-of`",
}

WHY_NOT = {
    "shown": "it is shown",
    "no_match": "no retriever of the policy finds it for this question",
    "appraisal_alone": "another one counts, or what it assesses is not shown, or is shown for itself",
    "covered": "only the newest things are asked for, and a summary stands for it there",
    "below_limit": "a retriever finds it, behind more things than it may hand on",
}

CAVEATS = {
    "present_statistics": (
        "a past moment was asked for, and how much a word weighs is counted over all there is today"
    ),
    "task_unknown": (
        "a task was asked about to which nothing is bound that who asks may see: it may be spelled"
        " otherwise; tasks and people are compared letter by letter"
    ),
    "vectors_partial": (
        "meaning was compared, and the newest texts have no vectors of the model yet; `embed`"
        " makes them"
    ),
    "no_vectors": "the policy goes by meaning too, and there was no model or no vector to compare",
    "nothing_near": "the nearest by meaning was not as near as the model has it for an answer",
    "vectors_unused": "nothing was found, and there are vectors that the policy does not compare",
}

CHANGES = {
    "added": "shown now and not then",
    "left_out": "it stands, and is not shown now",
    "missing": "nothing has its id any more",
    "source_erased": "something that it cites has been erased since",
    "differs": "of the receipt itself: the same items, in other bytes than were handed over",
}

FOLLOWS = {
    "covers": "a summary that covers it",
    "summary": "a summary that rests on it without covering it",
    "proposal": "a proposal made from it",
    "same_words": "a record that repeats its words",
    "same_command": "the digest of a command that wrote it or found it standing",
    "speaks_of": "a receipt of a recall that considered it",
    "cites": "a record that cites it; stays, unless `--with-dependents`",
    "same_number": (
        "holds a number or code of its text without resting on it; stays, unless "
        "`--with-dependents`"
    ),
}

CHECKS = {
    "engine": "the versions of the database engine and of its driver",
    "text_index": "whether the engine can make the text index",
    "clock": "whether the host's clock stands before the last commit, or before 2025",
    "place": "what is at the path",
    "directory_mode": "whether others may look into the store's directory",
    "disk": "the room on the disk: an erasure and a migration write a whole file anew",
    "leftovers": "what processes that were killed left in the directory",
    "file_readable": "whether the scope's file can be opened",
    "file_kind": "whether it is one of Muniment's",
    "file_name": "whether its scope is looked for there, and in no other file",
    "file_mode": "whether others may read it",
    "file_version": "whether this program knows its tables, and writes them",
    "journal_mode": "whether it is written through a write-ahead log",
    "log_size": "how long that log has grown",
    "automatic_backups": "the copies that migrations made beside it",
    "derived_tables": "whether this version of the program made the derived tables",
    "pending": "whether traces of an erasure are still to be removed",
    "ledger": "not checked here: `verify` does",
}

FAULTS = {
    "chain_missing": "a chain has no commit at all",
    "checkpoint_ahead": "the file ends before the place that the checkpoint knows: its end was cut",
    "check_failed": "what stands in a table made its check itself fail, so that the rest of it was not looked at: `detail` is how",
    "checkpoint_differs": "the file has another commit at the place of the checkpoint",
    "checkpoint_scope_differs": "the checkpoint is of another scope",
    "commit_stray": "a commit that belongs to no chain of this scope",
    "content_differs": "a content is not the one that the event's digest was made of",
    "content_malformed": "a content that is not what its kind of event says, in canonical form",
    "content_missing": "a content is gone, and no erasure names it",
    "content_stray": "a content that belongs to no event",
    "command_differs": "the answer of a command stands where none may, or says more than there was",
    "erased_content_present": "a content stands that an erasure says is gone",
    "erasure_not_alone": "an erasure is not the only event of its commit",
    "erasure_pending": "an erasure has not reached every byte yet; the next write finishes it",
    "event_unknown": "an event of a kind that this program does not know, or in the wrong chain",
    "field_unknown": "a shape has a field that no event of its kind has",
    "file_misnamed": "a scope's file lies under a name that is not made from the scope's",
    "scope_doubled": "two files hold the same scope: one is a copy",
    "file_malformed": "the database engine finds the file itself malformed",
    "fingerprint_differs": "what is noted of who made a derived table was changed",
    "format_differs": "a header says another format than its events need",
    "format_unknown": "a header of a format that this program does not know",
    "genesis_differs": "the first commit has events, or a later one has none",
    "hash_differs": "a header is not the one that the commit's hash was made of",
    "header_malformed": "a header whose hash is right and whose words make no sense",
    "header_not_canonical": "a header that is no canonical JSON, or says more than it may",
    "header_unreadable": "a header that cannot be read",
    "height_differs": "a commit is not the next one of its chain",
    "id_differs": "an id is not the digest of what it names",
    "not_folded": "the derived tables could not be compared, because the ledger cannot be read",
    "other_differs": "what a header says of the other chain is not so, or runs back",
    "parent_differs": "a header does not follow the commit before it",
    "receipt_differs": "a receipt that does not agree with itself, or with the history it cites",
    "reference_unknown": "an event cites an id that does not stand before it",
    "row_differs": "a row of a derived table is not what the ledger says; `rebuild` mends it",
    "scope_differs": "identity, name, secret or limits are not those of the first commit",
    "seq_differs": "the events of a commit are not numbered on from those before",
    "shape_malformed": "a shape has a value that the format does not allow: `detail` is its field",
    "supersedes_differs": "a record takes the place of another version than it may",
    "table_differs": "a derived table, index or trigger is not the one this program makes",
    "table_missing": "a derived table or index is gone; `rebuild` makes it again",
    "table_unreadable": "a derived table cannot be read; `rebuild` makes it again",
    "tag_differs": "the keyed tag of a key is not that of the key in the content",
    "time_differs": "a header has no time",
    "time_runs_back": "a commit was recorded before the one it follows",
    "value_differs": "what sets or deletes a state key cites another value than the key had",
    "version_differs": "the file says that it is of another version than its tables are",
}


STATUS_HEAD = (
    "What stands against a prepared query, or against one thing of it: `results[].code` with its "
    "number, and `left_out[].reason`. An error of a whole file is `bad_exchange` and says it in "
    "its text."
)
STATUSES = {
    "format": "1: it is not as the format says",
    "capacity": "2: what must be shown does not fit, or a store or file is full",
    "reference": "3: an exact version is meant that is none, or none that can be shown",
    "scope": "4: it is of another scope than the query, or would be seen by more",
    "version": "5: an id or version is used already, or does not follow the one before",
    "sequence": "6: an update or ordinal is not the next one",
    "source": "7: a source's rule, another lineage, or another vector space",
    "layout": "8: a vector has no direction, or none that can be read",
    "missing": "9: nothing has its id",
    "stale": "10: a newer version or a correction has taken its place; or the store went on",
    "denied": "11: who asks may not see it, it is withdrawn or over, or for another task",
    "unavailable": "12: its payload is elsewhere",
}

CHOSEN_HEAD = "Why an object is in a selection: `results[].entries[].reason`."
CHOSEN = {
    "required": "the query requires it",
    "obligation": "the task obliges to say it, or it is what such a thing rests on",
    "pinned": "the query pins it",
    "similar": "it is like the question",
    "significant": "it is like the question, and a chosen appraisal assesses it",
    "support": "it is an appraisal, or belongs to one",
}
BUDGETS = {
    "budget_entries": "the selection holds as many entries as it may",
    "budget_bytes": "it does not fit into what is left of the bytes",
}

NOT_CARRIED_HEAD = "Why an object was not taken over: `not_carried[].reason`, or an error's code."
NOT_CARRIED = {
    "scope": "it belongs to an owner or a room that was not named",
    "withdrawn": "it was withdrawn from the start",
    "cold": "its payload is elsewhere",
    "kind": "nothing here is of its kind",
    "payload": "it is no text",
    "copy": "it repeats an event that has come itself",
    "ended": "it ends something that was not taken over, or an event, which has happened",
}


def page() -> str:
    """Every code with its meaning, by where it is found."""
    labels = LABELS | {
        f"source_{word}": SOURCE_LABEL
        for word in (*STANDINGS, "corrected")
        if word not in ("current", "proposed")
    }
    tables = (
        ("Standing", "Of a record, an event or a value: `standing`.", STANDINGS),
        ("Outcomes", OUTCOMES_HEAD, OUTCOMES),
        ("Labels", "On an item: `labels`.", labels),
        ("Retrievers", FOUND_BY, RETRIEVER_MEANINGS | BESIDES),
        ("Reasons for leaving out", LEFT_OUT, REASONS),
        ("Answers of why-not", "Besides the reasons above: `reason`.", WHY_NOT),
        ("Caveats of a recall", "What limits an answer: `trace.caveats`.", CAVEATS),
        ("Changes", CHANGED, CHANGES),
        ("Dependents of an erasure", "Why something is listed: `dependents[].reason`.", FOLLOWS),
        ("Checks", EXAMINED, CHECKS),
        ("Faults", FOUND, FAULTS),
        ("Statuses of prepared queries", STATUS_HEAD, STATUSES),
        ("Reasons of a selection", CHOSEN_HEAD, CHOSEN),
        ("Left out of a selection", "`results[].left_out[].reason`, or a status.", BUDGETS),
        ("Not carried", NOT_CARRIED_HEAD, NOT_CARRIED),
    )
    lines = [HEAD.rstrip("\n"), "", *_policies()]
    for title, where, codes in tables:
        lines += ["", f"## {title}", "", where, "", "| code | meaning |", "|---|---|"]
        lines += [f"| `{code}` | {meaning} |" for code, meaning in codes.items()]
    return "\n".join(lines) + "\n"


def _policies() -> list[str]:
    lines = ["## Policies", "", ANSWERED, ""]
    lines += [
        "| policy | must be shown | may be shown | where nothing is found, or with synonyms |",
        "|---|---|---|---|",
    ]
    for policy in POLICIES:
        must = ", ".join(f"`{name}`" for name in policy.must)
        may, otherwise = _weights(policy.may), _weights(policy.otherwise)
        lines.append(f"| `{policy.name}` | {must} | {may} | {otherwise} |")
    lines += ["", BOOSTED, "", "| boost | what it prefers | "
              + " | ".join(f"`{each.name}`" for each in _boosted()) + " |",
              "|---|---|" + "---|" * len(_boosted())]  # fmt: skip
    for name, boost in BOOSTS.items():
        said = " ".join((boost.__doc__ or "").partition("\n\n")[0].split())
        weights = " | ".join(f"{each.boosts.get(name, 0):g}" for each in _boosted())
        lines.append(f"| `{name}` | {said} | {weights} |")
    return lines


def _boosted() -> list[Policy]:
    return [policy for policy in POLICIES if policy.boosts]


def _weights(weights: Mapping[str, float]) -> str:
    return ", ".join(f"`{name}` {weight:g}" for name, weight in weights.items())


def said() -> Mapping[str, set[str]]:
    """The codes of each kind that this page explains."""
    return {
        "standing": set(STANDINGS),
        "outcome": set(OUTCOMES),
        "label": set(LABELS),
        "retriever": set(RETRIEVER_MEANINGS),
        "besides": set(BESIDES),
        "reason": set(REASONS),
        "why-not": set(WHY_NOT),
        "caveat": set(CAVEATS),
        "change": set(CHANGES),
        "follows": set(FOLLOWS),
        "check": set(CHECKS),
        "fault": set(FAULTS),
        "status": set(STATUSES),
        "chosen": set(CHOSEN),
        "budget": set(BUDGETS),
        "not carried": set(NOT_CARRIED),
    }


def used() -> Mapping[str, set[str]]:
    """The codes of each kind that the source uses."""
    standings = set(get_args(Standing))
    gates = {
        code
        for name in ("gates", "choose", "weigh")
        for code in _returned(f"muniment/ranking/{name}.py")
    }
    return {
        "standing": standings,
        "outcome": set(get_args(Outcome)),
        "label": set(_labels()),
        "retriever": set(RETRIEVERS),
        "besides": set(_keywords("muniment/ranking/weigh.py", "_APPRAISED")),
        "reason": gates - standings,
        "why-not": set(_returned("muniment/operations/explaining.py")),
        "caveat": set(get_args(Caveat)),
        "change": set(_keywords("muniment/ranking/replay.py", "code"))
        | set(_keywords("muniment/operations/receipts.py", "code"))
        | (set(_returned("muniment/ranking/replay.py")) - standings),
        "follows": set(_returned("muniment/rules/erasure.py"))
        | set(_keywords("muniment/decisions/erasure.py", "reason")),
        "check": set(get_args(Subject)),
        "fault": {
            code
            for module in MODULES
            for code in _fault_codes(module.tree)
            if module.floor in ("store", "decisions", "operations")
        },
        "status": set(get_args(Code)),
        "chosen": set(get_args(Reason)),
        # A query that another system prepared brings no measure of tokens along.
        "budget": {f"budget_{bound}" for bound in get_args(Bound) if bound != "tokens"},
        "not carried": set(_keywords("muniment/exchange/converting.py", "reason"))
        | set(_keywords("muniment/operations/exchange.py", "reason")),
    }


def _tree(place: str) -> ast.Module:
    return next(module.tree for module in MODULES if module.place == place)


def _returned(place: str) -> Iterator[str]:
    """Every string that a function returns, or that stands first in a pair it picks from."""
    for node in ast.walk(_tree(place)):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _strings(node.value)
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
            yield from _strings(node.elts[0])


def _keywords(place: str, name: str) -> Iterator[str]:
    """Every string that is given or kept as `name`."""
    for node in ast.walk(_tree(place)):
        if (isinstance(node, ast.keyword) and node.arg == name) or (
            isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
        ):
            yield from _strings(node.value)


def _labels() -> Iterator[str]:
    yield CORRECTED
    for place in (
        "muniment/operations/experience.py",
        "muniment/ranking/judge.py",
        "muniment/decisions/items.py",
    ):
        for node in ast.walk(_tree(place)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "labels.setdefault":
                yield from _strings(node.args[1])
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "labels":
                assert isinstance(node.value, ast.Dict)
                for value in node.value.values:
                    yield from _strings(value)
            elif isinstance(node, ast.keyword) and node.arg == "labels":
                yield from _strings(node.value)


def _fault_codes(tree: ast.Module) -> Iterator[str]:
    """Codes given to `Fault`, kept as `code`, or yielded in front of a detail."""
    if "Fault" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Fault":
            for given in node.keywords:
                if given.arg == "code":
                    yield from _strings(given.value)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
            yield from _strings(node.value)
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            yield from _strings(node.value.elts[0])


def _strings(node: ast.AST) -> Iterator[str]:
    """The strings that an expression may have as its value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _strings(value)
    elif isinstance(node, ast.Tuple):
        for value in node.elts:
            yield from _strings(value)
