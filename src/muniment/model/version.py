"""One version of a record as its table has it, and whether it stands at a moment."""

from __future__ import annotations

import msgspec

from muniment.model import event, stretch
from muniment.model.moment import Moment
from muniment.model.standing import Standing, standing
from muniment.model.stretch import Stretch


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One row of the table `record`, in the order of its columns.

    `ended` and `to_seq`: how and where it ended for every moment; `ends`, where there are any,
    say it moment by moment instead, and `to_seq` then only where they leave no moment.
    """

    seq: int
    mark: int
    kind: str
    status: str
    owner: str
    key_tag: str | None
    key: str | None
    about: str | None
    text_bytes: int
    supersedes: int | None
    recorded_ms: int
    valid_from_ms: int | None
    valid_to_ms: int | None
    until_ms: int | None
    ended: str | None
    to_seq: int | None
    ends: str | None
    receipt: str | None
    bound: int  # its shape says more, which the table `binding` has

    @property
    def id(self) -> str:
        """The record's id."""
        return event.id_text("r", self.seq, self.mark)

    @property
    def followed(self) -> bool:
        """Whether another version may have taken its place, at some moment at least."""
        return self.to_seq is not None or self.ends is not None

    def standing(self, moment: Moment) -> Standing:
        """Whether it stands at that moment; an erased one never does."""
        return standing(
            kind=self.kind,
            status=self.status,
            ended=self._ended(moment),
            valid_to_ms=self.valid_to_ms,
            until_ms=self.until_ms,
            now_ms=moment.at_ms,
        )

    def speaks(self, moment: Moment) -> bool:
        """Whether it was written by then and is meant for that moment."""
        claimed = stretch.claimed(self.status, self.valid_from_ms, self.valid_to_ms)
        return self.seq <= moment.seq and stretch.holds(claimed, moment.at_ms)

    def places(self, from_ms: int) -> list[Stretch]:
        """The stretches in which it speaks and no other version has its place, in order.

        Those that are not over at `from_ms`.
        """
        claimed = stretch.claimed(self.status, self.valid_from_ms, self.valid_to_ms)
        taken = [
            end.stretch for end in stretch.read(self.ends) if end.how in ("superseded", "retracted")
        ]
        left = stretch.without([claimed], taken)
        return [each for each in left if each[1] is None or from_ms < each[1]]

    def judged_ms(self, at_ms: int) -> int:
        """When the other versions count: what has not begun does not end for what stands before."""
        return max(at_ms, self.valid_from_ms or at_ms)

    def _ended(self, moment: Moment) -> str | None:
        if self.ended == "erased":
            return self.ended
        if self.ends is None:
            over = self.to_seq is not None and self.to_seq <= moment.seq
            return self.ended if over else None
        at_ms = self.judged_ms(moment.at_ms)
        for end in stretch.read(self.ends):
            if end.seq <= moment.seq and stretch.holds(end.stretch, at_ms):
                return "superseded" if end.how == "retracted" else end.how
        return None


COLUMNS = ", ".join(Row.__struct_fields__)
