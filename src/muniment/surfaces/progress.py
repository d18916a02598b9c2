"""A progress bar on a terminal's standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def bar(file: str) -> Iterator[Callable[[int], None]]:
    """What to tell the bytes read so far; the bar is gone afterwards, whatever happened."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    total: int | None = None  # of an archive nobody knows how much is in it
    with suppress(OSError, ValueError):
        known = Path(file).is_file() and Path(file).suffix != ".zip"
        total = Path(file).stat().st_size if known else None
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("import", total=total)

        def told(read: int) -> None:
            progress.update(task, completed=read)

        yield told
