"""A progress bar on a terminal's standard error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def bar(file: str) -> Callable[[int], None]:
    """What to tell the bytes read so far; the bar ends with the file."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    path = Path(file)
    total = path.stat().st_size if path.is_file() else None
    progress = Progress(
        BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=Console(stderr=True)
    )
    task = progress.add_task("import", total=total)
    progress.start()

    def told(read: int) -> None:
        progress.update(task, completed=read)
        if total is not None and read >= total:
            progress.stop()

    return told
