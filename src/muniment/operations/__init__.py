"""The product on one page: every operation, by name.  Faces and reference pages are read off it."""

from __future__ import annotations

from muniment.model.erasure import Erase
from muniment.model.experience import Around, Import, Observe, Thread
from muniment.model.integrity import Checkpoint, Migrate, Rebuild, Status, Verify
from muniment.model.query import Recall, WhyNot
from muniment.model.record import (
    Close,
    Commit,
    History,
    Remember,
    Retract,
    Show,
    StateGet,
    StateHistory,
    StateSetTo,
)
from muniment.operations.operation import Operation

_AT = "muniment.operations."

OPERATIONS = (
    Operation(
        name="import",
        request=Import,
        handler=_AT + "imports:import_file",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="observe",
        request=Observe,
        handler=_AT + "experience:observe",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="remember",
        request=Remember,
        handler=_AT + "records:remember",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="retract",
        request=Retract,
        handler=_AT + "records:retract",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="close",
        request=Close,
        handler=_AT + "records:close",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="commit",
        request=Commit,
        handler=_AT + "commits:write_all",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="state get",
        request=StateGet,
        handler=_AT + "state:get",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="state set",
        request=StateSetTo,
        handler=_AT + "state:put",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="state history",
        request=StateHistory,
        handler=_AT + "state:history",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="recall",
        request=Recall,
        handler=_AT + "recall:recall",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="why-not",
        request=WhyNot,
        handler=_AT + "recall:why_not",
        effect="read",
        for_agents=True,
        finding=("shown", True),
    ),
    Operation(
        name="show",
        request=Show,
        handler=_AT + "records:show",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="history",
        request=History,
        handler=_AT + "records:history",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="thread",
        request=Thread,
        handler=_AT + "experience:thread",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="context",
        request=Around,
        handler=_AT + "experience:around",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="verify",
        request=Verify,
        handler=_AT + "ledger:verify",
        effect="read",
        for_agents=True,
        finding=("ok", False),
        finding_exit=3,
    ),
    Operation(
        name="checkpoint",
        request=Checkpoint,
        handler=_AT + "ledger:make_checkpoint",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="rebuild",
        request=Rebuild,
        handler=_AT + "ledger:rebuild",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="migrate",
        request=Migrate,
        handler=_AT + "ledger:migrate_ledger",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="status",
        request=Status,
        handler=_AT + "ledger:status",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="erase",
        request=Erase,
        handler=_AT + "erasure:erase",
        effect="erase",
        for_agents=False,
    ),
)
BY_REQUEST = {operation.request: operation for operation in OPERATIONS}
