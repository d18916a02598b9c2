"""What is added to words: neighbours, the speaker, the session, the date, and how they are weighed."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.cue import Cues, cues
from muniment.model.hit import NO_CUES, Found, Hit
from muniment.model.pack import Item
from muniment.model.policy import Policy
from muniment.ranking import boosts, fuse, windows
from muniment.ranking.policies import POLICIES
from tests.ranking.things import found, item
from tests.requirements.marker import requirement

BOTH = Policy(name="x", must=(), may={"lexical": 1.0, "nearby": 1.0})


def order(*things: Item, policy: Policy = BOTH, asked: Cues = NO_CUES) -> list[int]:
    """The fused order of things that one retriever found alike, in this order."""
    by_seq = {thing.seq: thing for thing in things}
    hits = [found("lexical", thing.seq) for thing in things]
    return [hit.seq for hit in fuse.fused(hits, by_seq, asked, policy).hits]


@requirement("recall:rank:sum")
def test_scores_are_added_after_each_retriever_is_brought_to_one_scale() -> None:
    """Measured: a sum of scores is 5 to 6 points better than a sum of ranks."""
    items = {seq: item(seq) for seq in (1, 2, 3)}

    fused = fuse.fused([found("lexical", 1, 2), found("nearby", 2, 3)], items, NO_CUES, BOTH)

    assert [hit.seq for hit in fused.hits] == [2, 1, 3]
    assert fused.hits[0].score == pytest.approx(1.5)


@requirement("recall:rank:sum")
def test_a_record_is_not_behind_for_want_of_neighbours() -> None:
    """A record stands for itself: its own words count as its window."""
    items = {1: item(1), 2: item(2, "note")}

    fused = fuse.fused([found("lexical", 2), found("lexical", 1), found("nearby", 1)],
                       items, NO_CUES, BOTH)  # fmt: skip

    assert {hit.seq: hit.score for hit in fused.hits} == {1: 2.0, 2: 2.0}


@requirement("recall:days:dated")
def test_what_is_found_by_its_day_is_no_word() -> None:
    """A record is not behind for want of a day, and a full day lifts nothing that it left out."""
    items = {1: item(1), 2: item(2, "note"), 3: item(3)}
    policy = Policy(name="x", must=(), may={"lexical": 1.0, "nearby": 1.0, "dated": 0.5})
    words = [found("lexical", 2), found("lexical", 1), found("nearby", 1)]
    day = msgspec.structs.replace(found("dated", 3, 1), limited=True)

    fused = fuse.fused([*words, day], items, NO_CUES, policy)

    assert {hit.seq: hit.score for hit in fused.hits} == {1: 2.25, 2: 2.0, 3: 0.5}


@requirement("recall:rank:unlisted")
def test_what_a_full_retriever_did_not_hand_on_is_worth_half_its_last() -> None:
    """A list that was cut off says little of what it left out; that is not nothing."""
    items = {seq: item(seq) for seq in (1, 2, 3)}
    full = msgspec.structs.replace(found("lexical", 1, 2), limited=True)

    fused = fuse.fused([full, found("nearby", 3)], items, NO_CUES, BOTH)

    assert {hit.seq: hit.score for hit in fused.hits} == {1: 1.0, 2: 0.5, 3: 1.25}


@requirement("recall:rank:windows")
def test_a_window_covers_more_of_a_question_than_its_middle() -> None:
    """A short turn seldom holds all that was asked: its neighbours count as if it said so itself."""
    words, rough = windows.rough([[1], [3]], 20)

    both, one = windows.score([1, 2, 3], words, 0.6), windows.score([3, 4, 5], words, 0.6)
    assert both > one > windows.score([4, 5, 6], words, 0.6) == 0.0
    assert rough[2] == rough[3] > rough[5] > rough[6] == 0


@requirement("recall:rank:windows")
def test_a_long_window_says_a_word_more_easily_than_a_short_one() -> None:
    """BM25: the same word in fewer words tells more."""
    words, _ = windows.rough([[1]], 20)

    assert windows.score([1, 2], words, 0.5) > windows.score([1, 2], words, 2.0)


@requirement("recall:rank:windows")
@given(
    st.lists(st.lists(st.integers(1, 60), min_size=1, unique=True), max_size=64),
)
def test_the_rough_score_of_a_scope_orders_as_the_exact_one_does(postings: list[list[int]]) -> None:
    """One addition for the whole scope: no window's sum runs over into its neighbour's."""
    words, rough = windows.rough([sorted(places) for places in postings], 60)

    exact = [windows.score(range(at - 2, at + 3), words, 1.0) for at in range(61)]
    most = sum(word.rarity for word in words) * 2.2 * 5 / 6.2 or 1.0
    for at in range(1, 61):
        assert rough[at] <= 255 * exact[at] / most + 0.001
        assert rough[at] > 255 * exact[at] / most - len(words) - 0.001


@requirement("recall:rank:cues")
@pytest.mark.parametrize(
    ("question", "months", "years", "when"),
    [
        ("When did Ann move?", (), (), True),
        ("What did Ann do in May 2023?", (5,), (2023,), False),
        ("what may Ann do?", (), (), False),
        ("What happened on 3 July?", (7,), (), False),
        ("Who paid 2000 crowns?", (), (), False),
        ("Where was she in 1999?", (), (1999,), False),
        ("Which year was it?", (), (), True),
        ("昨日は何をしましたか", (), (), False),
    ],
)
def test_what_a_question_says_of_time(
    question: str, months: tuple[int, ...], years: tuple[int, ...], when: bool
) -> None:
    """A number is no year, and "may" no month, unless the question says so."""
    told = cues(question)

    assert (told.months, told.years, told.when) == (months, years, when)


@requirement("recall:rank:boosts")
def test_what_the_named_speaker_said_comes_first() -> None:
    """The question names one of the speakers; where it names two, neither is preferred."""
    ann, ben = item(1, actor="Ann Lee"), item(2, actor="Ben")
    policy = Policy(name="x", must=(), may={"lexical": 1.0}, boosts={"speaker": 0.5})

    assert order(ben, ann, policy=policy, asked=cues("What does Ann like?")) == [1, 2]
    assert order(ann, ben, policy=policy, asked=cues("What does Ben like?")) == [2, 1]
    assert order(ann, ben, policy=policy, asked=cues("Do Ann and Ben agree?")) == [2, 1]


@requirement("recall:rank:boosts")
@pytest.mark.parametrize(
    ("boost", "better", "worse", "question"),
    [
        ("date", {"at": "2023-05-03T10:00:00.000Z"}, {"at": "2023-06-03T10:00:00.000Z"}, "May 3rd"),
        ("date", {"at": "2023-05-03T10:00:00.000Z"}, {"at": None}, "What was in May 2023?"),
        (
            "date",
            {"at": "2023-05-03T23:59:59.999Z"},
            {"at": "2023-06-03T00:00:00.000Z"},
            "of 2023-05-03",
        ),
        ("time_word", {"text": "We met last week."}, {"text": "We met there."}, "When was it?"),
        ("length", {"text": "x" * 200}, {"text": "Hi!"}, "anything"),
    ],
)
def test_each_boost_prefers_what_it_is_for(
    boost: str, better: dict[str, str], worse: dict[str, str], question: str
) -> None:
    """Each is named and can be weighed alone."""
    policy = Policy(name="x", must=(), may={"lexical": 1.0}, boosts={boost: 0.5})
    asked = cues(f"It was in {question}" if question == "May 3rd" else question)

    assert order(item(1, **better), item(2, **worse), policy=policy, asked=asked) == [1, 2]


@requirement("recall:rank:boosts")
@pytest.mark.parametrize(
    ("at", "worth"),
    [
        ("2022-12-31T23:59:59.999Z", 0.0), ("2023-01-01T00:00:00.000Z", 1.0),
        ("2023-01-01T23:59:59.999Z", 1.0), ("2023-01-02T00:00:00.000Z", 0.0), (None, 0.0),
    ],
)  # fmt: skip
def test_what_was_said_within_a_named_day_is_of_that_date(at: str | None, worth: float) -> None:
    """Of a day that is called from the moment nothing beside it counts."""
    asked = cues("What happened yesterday?", 1_672_660_800_000)  # 2023-01-02T12:00Z
    case = boosts.Case(items={1: item(1, at=at)}, scores={1: 1.0}, cues=asked)

    assert boosts.date(case) == {1: worth}


@requirement("recall:rank:answers")
def test_an_answer_comes_before_what_only_sounds_alike() -> None:
    """What was said right after a question tells what was asked, whoever asked it."""
    asked, told, other = item(1, text="Where is it?"), item(2), item(3)
    policy = Policy(name="x", must=(), may={"nearby": 1.0}, boosts={"answers": 0.5})
    hits = tuple(
        Hit(seq=seq, retriever="nearby", rank=1, score=1.0, after=before)
        for seq, before in ((1, None), (2, 1), (3, 2))
    )

    fused = fuse.fused([Found(retriever="nearby", hits=hits)],
                       {1: asked, 2: told, 3: other}, NO_CUES, policy)  # fmt: skip

    assert [hit.seq for hit in fused.hits] == [2, 3, 1]


@requirement("recall:rank:user")
@pytest.mark.parametrize(
    ("essay", "order_then"), [(2_000, [1, 2]), (0, [2, 1])], ids=["essays", "short talk"]
)
def test_where_an_assistant_writes_essays_the_facts_are_in_what_the_user_said(
    essay: int, order_then: list[int]
) -> None:
    """By the shape of the data: it says nothing where both sides speak shortly."""
    said, told = item(1, role="user"), item(2, role="assistant", text="x" * essay)
    policy = Policy(name="x", must=(), may={"lexical": 1.0}, boosts={"user": 1.0})

    assert order(said, told, policy=policy) == order_then


@requirement("recall:rank:user")
def test_where_only_users_speak_none_is_preferred() -> None:
    """A talk between people has no other side."""
    case = boosts.Case(items={1: item(1), 2: item(2)}, scores={1: 1.0, 2: 1.0}, cues=NO_CUES)

    assert boosts.user(case) == {}


@requirement("recall:rank:boosts")
def test_every_boost_of_a_policy_is_one() -> None:
    """A policy is data; what it names exists, and what exists is named by one."""
    named = {name for policy in POLICIES for name in policy.boosts}

    # A scorer is the caller's; it is weighed where one is given.
    assert named == set(boosts.BOOSTS) - {"scorer"}
