"""Muniment: the memory of an agent, kept as evidence."""

from __future__ import annotations

from muniment import errors, limits
from muniment.memory import AsyncMemory, Memory
from muniment.model.embedding import Embed, Embedder
from muniment.model.erasure import Erase
from muniment.model.evidence import Source
from muniment.model.exchange import (
    ExchangeConvert,
    ExchangeInspect,
    ExchangeRecall,
    ExchangeReplay,
    ExchangeRetain,
)
from muniment.model.experience import Around, Import, Observe, Thread
from muniment.model.health import Doctor
from muniment.model.integrity import Backup, Checkpoint, Migrate, Rebuild, Status, Verify
from muniment.model.listing import (
    Collections,
    Keys,
    Receipts,
    Records,
    Scopes,
    StateList,
    Tasks,
    Threads,
)
from muniment.model.pack import Item, Pack
from muniment.model.policy import Policy
from muniment.model.query import Recall, WhyNot
from muniment.model.receipt import Replay
from muniment.model.record import (
    Appraise,
    Close,
    Commit,
    Correct,
    History,
    Note,
    Remember,
    Require,
    Retract,
    Show,
)
from muniment.model.state import StateDelete, StateGet, StateHistory, StateSetTo

__version__ = limits.VERSION

__all__ = [
    "Appraise",
    "Around",
    "AsyncMemory",
    "Backup",
    "Checkpoint",
    "Close",
    "Collections",
    "Commit",
    "Correct",
    "Doctor",
    "Embed",
    "Embedder",
    "Erase",
    "ExchangeConvert",
    "ExchangeInspect",
    "ExchangeRecall",
    "ExchangeReplay",
    "ExchangeRetain",
    "History",
    "Import",
    "Item",
    "Keys",
    "Memory",
    "Migrate",
    "Note",
    "Observe",
    "Pack",
    "Policy",
    "Rebuild",
    "Recall",
    "Receipts",
    "Records",
    "Remember",
    "Replay",
    "Require",
    "Retract",
    "Scopes",
    "Show",
    "Source",
    "StateDelete",
    "StateGet",
    "StateHistory",
    "StateList",
    "StateSetTo",
    "Status",
    "Tasks",
    "Thread",
    "Threads",
    "Verify",
    "WhyNot",
    "errors",
]
