"""Which file holds which scope: made, found, listed, renamed.  One file per scope."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from muniment import errors
from muniment.model import scope as naming

BESIDE = ("-wal", "-shm", "-journal")  # what the engine may leave beside a file
_BACKUP = ".backup-"
_NAMES_PER_SCOPE_MAX = 8  # of 64 hex digits, eight at a time


class Place:
    """A directory of scopes, or one scope's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _looking(path):
            named = path.name.endswith(naming.SUFFIX)
            self.single = path.is_file() or (named and not path.is_dir())

    def candidates(self, name: str) -> Iterator[Path]:
        """Where the scope called `name` may be, best first: by its name, then where names went."""
        if self.single:
            yield self.path
            return
        for take in range(_NAMES_PER_SCOPE_MAX):
            yield self.path / naming.file_name(name, take)
        with _looking(self.path):
            yield from sorted(self.path.glob(f"{naming.ERASED}*{naming.SUFFIX}"))

    def nameless(self, path: Path) -> bool:
        """Whether the file's name tells no scope's: it was given to it when that was erased."""
        return not self.single and path.name.startswith(naming.ERASED)

    def free(self, name: str) -> Path | None:
        """Where a new scope called `name` may be made; None: one scope's file stands there."""
        takes = range(_NAMES_PER_SCOPE_MAX)
        named = [self.path] if self.single else [
            self.path / naming.file_name(name, take) for take in takes
        ]  # fmt: skip
        return next((path for path in named if not present(path)), None)

    def existing(self) -> list[Path]:
        """The files of all scopes here, by name.

        Raises:
            NotFound: there is no such place.
        """
        if self.single:
            return [self.path] if present(self.path) else []
        with _looking(self.path):
            if not self.path.is_dir():
                raise errors.NotFound(f"there is no memory at {self.path.name!r}")
            return sorted(path for path in self.path.iterdir() if path.name.endswith(naming.SUFFIX))

    def tells_name(self, path: Path, scope_id: str) -> bool:
        """Whether the file's name was made from its scope's; a single file's is the caller's."""
        return not self.single and path.name not in naming.erased_file_names(scope_id)

    def prepare(self) -> None:
        """Makes the directory, for its owner alone.

        Raises:
            Unavailable: it cannot be made.
        """
        directory = self.path.parent if self.single else self.path
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except FileExistsError as error:
            raise errors.NotAStore(f"{directory.name} is not a directory") from error
        except PermissionError as error:
            raise errors.ReadOnly(f"{directory.name} cannot be made here") from error
        except OSError as error:
            raise errors.CannotOpen(f"{directory.name} cannot be made: {error}") from error


def present(path: Path) -> bool:
    """Whether there is something at `path`.

    Raises:
        CannotOpen: the operating system does not say.
    """
    try:
        os.stat(path)  # noqa: PTH116 - asked at each command, and a third of the time of `exists`
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        raise _cannot_open(path, error) from error
    return True


@contextmanager
def _looking(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _cannot_open(path, error) from error


def _cannot_open(path: Path, error: OSError) -> errors.CannotOpen:
    return errors.CannotOpen(f"{path.name!r} cannot be opened: {error.strerror}")


@contextmanager
def making(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """An empty file elsewhere; what is written to it inside is at `path` then, or not at all.

    `replace`: it takes the place of a file of that name.

    Raises:
        Locked: another process is making it.
        Unavailable: it cannot be made, or not be put there.
    """
    name = None if replace else in_the_way(path)
    if name is not None:
        raise errors.CannotOpen(f"{name} exists already")
    unfinished = _unfinished(path)
    with _told():
        claim = _claimed(unfinished)
    try:
        yield unfinished
        with _told():
            os.fsync(claim)
            if replace:
                for end in BESIDE:
                    Path(f"{path}{end}").unlink(missing_ok=True)
                unfinished.replace(path)
            else:
                _publish(unfinished, path)
            sync_directory(path.parent)
    finally:
        try:
            with _told():
                sweep_unfinished(path)
        finally:
            # Last: while it is open, and held, nobody takes the file for one of a killed maker.
            os.close(claim)


def in_the_way(path: Path) -> str | None:
    """What stands where a new file or its log would; None where nothing does.

    The engine would take a log of that name for the new file's own, and play it back.
    """
    for name in (path, *(Path(f"{path}{end}") for end in BESIDE if end != "-shm")):
        if os.path.lexists(name) and (name == path or name.stat().st_size):
            return name.name
    return None


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise os_failure(error) from error


def _claimed(unfinished: Path) -> int:
    """An empty file that is this process's alone, in place of one that a killed maker left."""
    while True:
        file = os.open(unfinished, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
        if not _held(file):
            os.close(file)
            raise errors.Locked(f"another process is making {unfinished.name}")
        told = os.fstat(file)
        if told.st_nlink == 1 and told.st_size == 0:
            os.fchmod(file, 0o600)
            return file
        if told.st_nlink:
            # Never emptied: a maker killed at the very end left a second name of the file itself.
            _sweep(unfinished)
        os.close(file)


def _held(file: int) -> bool:
    """Whether the file's lock is this process's now."""
    try:
        import fcntl
    except ImportError:  # A system without it: nobody can tell, and the last one wins.
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def being_made(unfinished: Path) -> bool:
    """Whether some process holds the unfinished file now."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        # A pipe of that name would be waited for until somebody writes to it.
        file = os.open(unfinished, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _publish(unfinished: Path, path: Path) -> None:
    """The file has its name, and takes nobody's place."""
    try:
        # A link does not take the place of a file that is there.
        os.link(unfinished, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without links, such as one on a stick.
        if path.exists():
            raise FileExistsError(errno.EEXIST, f"{path.name} exists already") from error
        unfinished.rename(path)


def sweep_unfinished(path: Path) -> None:
    """Nothing is left of a maker of `path` that was killed: its lock says that nobody is at it.

    Where it was killed at the very end, its unfinished file is the scope's own by another name.
    """
    _sweep(_unfinished(path))


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _sweep(path: Path) -> None:
    """The file is gone, and what the engine left beside it."""
    for name in (path, *(Path(f"{path}{end}") for end in BESIDE)):
        name.unlink(missing_ok=True)


def automatic_backup(path: Path, version: int) -> Path:
    """Where the copy lies that is made before a file of this version is migrated."""
    return path.with_name(f"{path.name}{_BACKUP}{version}")


def automatic_backups(path: Path) -> list[Path]:
    """The copies of the file that were made before migrations, and what is left of their making."""
    begin = path.name + _BACKUP
    return sorted(each for each in path.parent.iterdir() if each.name.startswith(begin))


def sync_directory(directory: Path) -> None:
    """The directory's entries survive the loss of power, where the system can do that."""
    with suppress(OSError):
        entry = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)


def remove(path: Path) -> None:
    """The file, its log and its lock are gone."""
    _sweep(path)
    lock_path(path).unlink(missing_ok=True)
    sync_directory(path.parent)


def rename(path: Path, names: Sequence[str]) -> None:
    """The file has the first of these names that is free, and its lock is gone.

    One that has such a name keeps it.  No other file is replaced: the names are random.
    """
    if path.name in names:
        return
    free = next((to for to in map(path.with_name, names) if not to.exists()), None)
    if free is None:
        raise FileExistsError(errno.EEXIST, "every name is taken")
    path.rename(free)
    lock_path(path).unlink(missing_ok=True)
    sync_directory(path.parent)


def lock_path(path: Path) -> Path:
    """The file whose lock the writers of `path` queue on."""
    return path.with_name(path.name + "-lock")


def os_failure(error: OSError) -> errors.MunimentError:
    """What the operating system says, in the words of `errors`."""
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return errors.ReadOnly(f"the directory may not be written: {error.strerror}")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return errors.DiskFull(f"there is no room on the disk: {error.strerror}")
    return errors.CannotOpen(str(error.strerror))
