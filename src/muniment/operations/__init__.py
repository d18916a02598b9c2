"""The product on one page: every operation, by name.  Faces and reference pages are read off it."""

from __future__ import annotations

from muniment.model.embedding import Embed
from muniment.model.erasure import Erase
from muniment.model.exchange import (
    ExchangeConvert,
    ExchangeInspect,
    ExchangeRecall,
    ExchangeReplay,
)
from muniment.model.experience import Around, Import, Observe, Thread
from muniment.model.health import Doctor
from muniment.model.integrity import Backup, Checkpoint, Migrate, Rebuild, Status, Verify
from muniment.model.listing import Keys, Receipts, Scopes, Tasks, Threads
from muniment.model.query import Recall, WhyNot
from muniment.model.receipt import Replay
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

OPERATIONS = (
    Operation(
        name="import",
        request=Import,
        handler="muniment.operations.imports:import_file",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="observe",
        request=Observe,
        handler="muniment.operations.experience:observe",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="remember",
        request=Remember,
        handler="muniment.operations.records:remember",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="retract",
        request=Retract,
        handler="muniment.operations.records:retract",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="close",
        request=Close,
        handler="muniment.operations.records:close",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="commit",
        request=Commit,
        handler="muniment.operations.commits:write_all",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="state get",
        request=StateGet,
        handler="muniment.operations.state:get",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="state set",
        request=StateSetTo,
        handler="muniment.operations.state:put",
        effect="write",
        for_agents=True,
    ),
    Operation(
        name="state history",
        request=StateHistory,
        handler="muniment.operations.state:history",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="recall",
        request=Recall,
        handler="muniment.operations.recall:recall",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="why-not",
        request=WhyNot,
        handler="muniment.operations.recall:why_not",
        effect="read",
        for_agents=True,
        finding=("shown", True),
    ),
    Operation(
        name="replay",
        request=Replay,
        handler="muniment.operations.receipts:replay",
        effect="read",
        for_agents=True,
        finding=("same", False),
    ),
    Operation(
        name="show",
        request=Show,
        handler="muniment.operations.records:show",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="history",
        request=History,
        handler="muniment.operations.records:history",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="thread",
        request=Thread,
        handler="muniment.operations.experience:thread",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="context",
        request=Around,
        handler="muniment.operations.experience:around",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="verify",
        request=Verify,
        handler="muniment.operations.ledger:verify",
        effect="read",
        for_agents=True,
        finding=("ok", False),
        finding_exit=3,
    ),
    Operation(
        name="checkpoint",
        request=Checkpoint,
        handler="muniment.operations.ledger:make_checkpoint",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="rebuild",
        request=Rebuild,
        handler="muniment.operations.ledger:rebuild",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="backup",
        request=Backup,
        handler="muniment.operations.ledger:back_up",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="migrate",
        request=Migrate,
        handler="muniment.operations.ledger:migrate_ledger",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="status",
        request=Status,
        handler="muniment.operations.ledger:status",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="doctor",
        request=Doctor,
        handler="muniment.operations.health:doctor",
        effect="read",
        for_agents=False,
        finding=("ok", False),
    ),
    Operation(
        name="scopes",
        request=Scopes,
        handler="muniment.operations.listing:scopes",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="threads",
        request=Threads,
        handler="muniment.operations.listing:threads",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="keys",
        request=Keys,
        handler="muniment.operations.listing:keys",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="tasks",
        request=Tasks,
        handler="muniment.operations.listing:tasks",
        effect="read",
        for_agents=True,
    ),
    Operation(
        name="receipts",
        request=Receipts,
        handler="muniment.operations.listing:recalls",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="embed",
        request=Embed,
        handler="muniment.operations.embedding:embed",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="exchange recall",
        request=ExchangeRecall,
        handler="muniment.operations.exchange:answer_queries",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="exchange replay",
        request=ExchangeReplay,
        handler="muniment.operations.exchange:replay",
        effect="read",
        for_agents=False,
        finding=("same", False),
    ),
    Operation(
        name="exchange inspect",
        request=ExchangeInspect,
        handler="muniment.operations.exchange:inspect",
        effect="read",
        for_agents=False,
    ),
    Operation(
        name="exchange convert",
        request=ExchangeConvert,
        handler="muniment.operations.exchange:convert",
        effect="write",
        for_agents=False,
    ),
    Operation(
        name="erase",
        request=Erase,
        handler="muniment.operations.erasure:erase",
        effect="erase",
        for_agents=False,
    ),
)
BY_REQUEST = {operation.request: operation for operation in OPERATIONS}
