"""The store: scopes by name, and the two ways in, to read and to write."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from muniment import errors, limits
from muniment.model import canonical
from muniment.model import scope as naming
from muniment.model.event import Genesis
from muniment.store import birth, files, headers, locks, migrate, projector, scrub, tx
from muniment.store.opened import Opened, Settings
from muniment.store.projector import Projection
from muniment.store.tx import Read, Write

_abandoned: list[object] = []  # connections of the process this one was forked from


class Store:
    """A place with its scopes.  Safe to use from several threads."""

    def __init__(self, path: Path, projections: Sequence[Projection], settings: Settings) -> None:
        self.place = files.Place(path)
        self.projections = projections
        self.settings = settings
        self._files: OrderedDict[Path, Opened] = OrderedDict()
        self._found: dict[str, Path] = {}  # where a scope was the last time, by name
        self._guard = threading.Lock()
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def read(self, path: Path, *, whole: bool = True, checking: bool = False) -> Iterator[Read]:
        """One snapshot of a scope's file.  `whole`: its derived tables must be there.

        `checking`: a value of another type in the row of the scope is left blank, to be told.

        Raises:
            Unavailable: the file cannot be read.
        """
        opened = self._opened(path)
        connection = opened.lend_reader()
        try:
            with tx.reading(connection):
                row = tx.scope_row(connection, whole=not checking)
                read = Read(connection, row, opened.kept)
                if whole:
                    projector.check(read, self.projections)
                yield read
        finally:
            opened.give_back(connection)

    @contextmanager
    def write(
        self, path: Path, *, whole: bool = True, alone: bool = False, behind: bool = False
    ) -> Iterator[Write]:
        """A transaction on a scope's file.

        `whole`: derived tables of another version are made again before.  `alone`: no other
        thread's command shares it.  `behind`: the ledger's own tables may be of an earlier
        version.  Afterwards an erasure that a reader held up is finished.

        Raises:
            MigrationNeeded: the ledger's own tables are of an earlier version.
            Unavailable: the file cannot be written.
        """
        opened = self._opened(path)
        ordinary = whole and not alone
        with opened.writers.command(alone=not ordinary) as connection:
            row = opened.settled.row(connection) if ordinary else None
            if row is not None:
                write = Write(connection, row, opened.kept)
            else:
                opened.settled.forget()
                if not behind:
                    migrate.check(connection)
                write = Write(connection, tx.scope_row(connection), opened.kept)
                if whole and not projector.prepare(write, self.projections) and ordinary:
                    opened.settled.note(connection, write.scope)
            yield write
        if write.scope.name is None and self.place.tells_name(path, write.scope.id):
            # Whoever erased the scope could not rename its file: somebody had it open.
            self.forget_name(path, remove=False)

    def find(self, scope: str | None) -> Path:
        """The file of a scope.

        Raises:
            NotFound: there is no such scope.
        """
        path = self._path(scope)
        if path is None:
            raise errors.NotFound(
                f"there is no scope {scope or naming.DEFAULT!r} in {str(self.place.path)!r} yet; "
                "the first write makes it"
            )
        return path

    @contextmanager
    def write_or_make(self, scope: str | None, now_ms: int) -> Iterator[Write]:
        """A transaction on a scope; where there is none yet, the one that it begins with.

        Raises:
            Unavailable: it cannot be written, or not be made.
        """
        path = self._path(scope)
        if path is None:
            name = naming.check_name(scope or naming.DEFAULT)
            self.place.prepare()
            free = self.place.free(name)
            if free is None:  # one scope's file, and not the one of this name
                raise errors.NotFound("nothing here has that scope")
            with locks.locked(free, self.settings.wait_ms):
                # Somebody else may have made it while this one waited.
                path = self._path(scope)
                if path is None:
                    made = birth.making(free, name, self.projections, now_ms, self.settings)
                    with made as write:
                        yield write
                    return
        with self.write(path) as write:
            yield write

    def scopes(self) -> list[Path]:
        """The files of all scopes here.

        Raises:
            NotFound: there is no such place.
        """
        self._check_open()
        return self.place.existing()

    def forget_name(self, path: Path, *, remove: bool) -> bool:
        """The file's name no longer tells the scope's, or the file is gone.

        False where another process has it open, or anything else is in the way: a file that is in
        use is neither renamed nor removed, and the erasure itself is committed.
        """
        try:
            scope_id = self._opened(path).scope().id
            with self._guard:
                self._found = {}
                opened = self._files.pop(path, None)
            if opened is not None:
                opened.close()
            with locks.locked(path, self.settings.wait_ms):
                if not scrub.alone(path):
                    return False
                if remove:
                    files.remove(path)
                elif not self.place.single:
                    files.rename(path, naming.erased_file_names(scope_id))
        except (errors.Unavailable, errors.NotFound, OSError):
            return False
        return True

    def close(self) -> None:
        """Every connection is closed."""
        self._check_open(closing=True)
        with self._guard:
            every, self._files, self._closed = list(self._files.values()), OrderedDict(), True
        for opened in every:
            opened.close()

    def _path(self, scope: str | None) -> Path | None:
        self._check_open()
        name = scope or naming.DEFAULT
        found = self._found.get(name)
        if found is not None and _still(self._files.get(found), name):
            return found
        for path in self.place.candidates(naming.check_name(name)):
            if files.present(path) and self._is_named(path, name, given=scope is not None):
                if len(self._found) >= limits.OPEN_SCOPES_MAX:
                    self._found = {}
                self._found[name] = path
                return path
        return None

    def _is_named(self, path: Path, name: str, *, given: bool) -> bool:
        """Whether the file is the scope's; a single file is, where no name was given.

        One that cannot be read is not, but where it has the scope's own name.
        """
        if self.place.single and not given:
            return True
        try:
            opened = self._opened(path)
            # Nobody renames a file that somebody holds open.
            if opened.named == name or opened.scope().name == name:
                return True
            with self.read(path, whole=False) as read:
                return _recognised(read, name)
        except errors.NotFound:
            return False  # it has gone meanwhile
        except (errors.Unavailable, errors.Corrupt) as error:
            # It belongs to some other scope, of which nobody who asks for this one is to hear.
            if isinstance(error, errors.Locked) or not self.place.nameless(path):
                raise
            return False

    def _opened(self, path: Path) -> Opened:
        self._check_open()
        oldest: Opened | None = None
        with self._guard:
            opened = self._files.get(path)
            if opened is None:
                opened = self._files[path] = Opened(path, self.settings)
            self._files.move_to_end(path)
            if len(self._files) > limits.OPEN_SCOPES_MAX:
                _, oldest = self._files.popitem(last=False)
        if oldest is not None:
            oldest.close()
        return opened

    def _check_open(self, *, closing: bool = False) -> None:
        if self._closed and not closing:
            raise errors.Closed("this memory has been closed")
        if os.getpid() != self._process:
            # A forked process must not use, nor close, its parent's connections.
            _abandoned.append(self._files)
            self._files, self._guard = OrderedDict(), threading.Lock()
            self._process = os.getpid()


def _still(opened: Opened | None, name: str) -> bool:
    """Whether the file that was the scope's is held open here, and is there: it still is."""
    return opened is not None and opened.named == name and files.present(opened.path)


def _recognised(read: Read, name: str) -> bool:
    """Whether the name was this scope's, and was erased or changed: its tag tells."""
    stored = read.value("SELECT header FROM commits WHERE chain = 'm' AND seq = 0")
    genesis = headers.decoded(stored).genesis
    wanted = canonical.tag(read.scope.secret, "scope", name)
    return isinstance(genesis, Genesis) and genesis.name_tag == wanted
