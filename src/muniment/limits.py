"""Every limit, with its unit in the name and its reason beside it.

Relations between limits are asserted when this module loads.
"""

from __future__ import annotations

# Of the program; a receipt names it.
VERSION = "0.1.0"

# What canonical JSON holds exactly in every language (2**53 - 1).
INTEGER_MAX = 2**53 - 1

# Year 9999, the last that ISO 8601 with four digits can print.
TIME_MS_MAX = 253_402_300_799_999
TIME_MS_MIN = -62_135_596_800_000
# A number of this size is refused as a time in milliseconds: in seconds it is one of 1973 to 5138.
TIME_SECONDS_FROM = 100_000_000
TIME_SECONDS_END = 100_000_000_000

# One message: a long tool result still fits, a file does not.
MESSAGE_BYTES_MAX = 1_048_576

# Notes are conclusions, not documents.
NOTES_PER_COMMIT_MAX = 8
RECORD_TEXT_BYTES_MAX = 8_192
RECORD_METADATA_BYTES_MAX = 8_192
KEY_BYTES_MAX = 128
SOURCES_MAX = 32
COVERS_MAX = 32
# Summaries of summaries: whoever asks what one covers walks down so far at most.
SUMMARY_LEVELS_MAX = 8

# Lists and objects inside each other: a reader of any language gets that deep, and no person does.
JSON_DEPTH_MAX = 128

# Names that a caller gives: scopes, threads, sessions, actors, tags, files.
NAME_BYTES_MAX = 512
SCOPE_NAME_BYTES_MAX = 128
TAGS_MAX = 32

# State is a small map, read whole into a prompt.
STATE_WRITES_PER_COMMIT_MAX = 64
STATE_VALUE_BYTES_MAX = 65_536
STATE_BYTES_MAX = 1_048_576

# Above this a text is indexed in passages, so that BM25 compares like with like.
PASSAGE_ABOVE_BYTES = 2_048
PASSAGE_BYTES_MAX = 1_536
PASSAGE_OVERLAP_BYTES_MAX = 160
PASSAGES_PER_TEXT_MAX = 2_048

# A question may be a whole pasted page; more is a mistake.
QUERY_BYTES_MAX = 1_048_576
QUERY_TERMS_MAX = 64
SPANS_MAX = 8  # Days or stretches of days of one question; whoever names more asks for none.
HITS_PER_RETRIEVER_DEFAULT = 64  # Bounds memory, not the engine's work.
HITS_PER_RETRIEVER_MAX = 512
BYTES_DEFAULT = 8_192
BYTES_MAX = 1_048_576
ITEMS_DEFAULT = 16
ITEMS_MAX = 256
# What a scope may choose for its own pack at the least: a short open task fits.
PACK_BYTES_MIN = 256
# Groups of a caller's synonyms, and words in one.
SYNONYMS_MAX = 64
REFERENCES_MAX = 64  # Required and pinned ids of one recall.
SUPPRESSED_MAX = 256
PARTICIPANTS_MAX = 64  # Who takes part in a task; a crowd has no needs of its own.

# Thread replay and context of an event come in pages.
PAGE_ITEMS_DEFAULT = 256
PAGE_ITEMS_MAX = 10_000
CONTEXT_DEFAULT = 4
CONTEXT_MAX = 100

# Events an import puts into one commit: one sync for all, and a header of a few hundred kilobytes.
IMPORT_BATCH_EVENTS = 1_000
# A batch also ends when its texts are this long, so that memory stays bounded.
IMPORT_BATCH_BYTES = 8_388_608
# A line or element of an import may be this long; JSON escapes at most six bytes a character.
IMPORT_ITEM_BYTES_MAX = 16_777_216
# A conversation in Markdown is held line by line; so many take some 60 MB.
MARKDOWN_LINES_MAX = 524_288
# What went wrong in a file is listed line by line, up to here; the rest is counted in one row.
IMPORT_FAILURES_MAX = 10_000
# Of the places whose links lead to nothing that came before, the first so many are named.
IMPORT_UNLINKED_MAX = 100
# Of the lines of a transcript that are nobody's message, too.
IMPORT_OTHER_LINES_MAX = 100

# Texts that are embedded between two looks at the store: a second or so of work is lost at most.
EMBED_BATCH_TEXTS = 64

# What is read at once of another system's store: some gigabytes of memory.
EXCHANGE_OBJECTS_MAX = 4_194_304
EXCHANGE_PAYLOAD_BYTES_MAX = 8_589_934_592
# Memories may share a vector, and each of them is compared: so many bytes more than there are.
EXCHANGE_SHARED_VECTOR_BYTES_MAX = 67_108_864

# A header longer than this is stored deflated; a commit of a few events is not.
HEADER_DEFLATE_ABOVE_BYTES = 4_096
# None is longer than this: a thousand events with all that they may cite stay far below.
HEADER_BYTES_MAX = 67_108_864

# So many commands of one process's threads share a COMMIT at most; the first of them waits for
# the others' work.
GROUP_COMMANDS_MAX = 64

# A checkpoint's note has a few hundred bytes.
CHECKPOINT_BYTES_MAX = 65_536

# How long a writer waits for another process before it says "locked".
WAIT_MS_DEFAULT = 30_000
WAIT_MS_MAX = 86_400_000  # A day; the engine counts in 32 bits.
# Open scope files kept at hand by one Memory.
OPEN_SCOPES_MAX = 64

# What `doctor` warns of.  Below the least no commit is sure to fit; an erasure needs a file's size.
DISK_FREE_BYTES_MIN = 16_777_216
DISK_FREE_BYTES_LOW = 268_435_456
# The log is folded into the file when it has so many pages of 4 KiB: pages that are written again
# and again are copied once then, and the disk is asked rarely for more than the commit itself.
LOG_PAGES_MAX = 4_000
# One that is this long is held open by a reader.
LOG_BYTES_HIGH = 67_108_864
# 2025-01-01T00:00:00Z: no clock that is right stands before the program was written.
CLOCK_FROM_MS = 1_735_689_600_000

# An erasure follows what repeats this much of an erased text.
SHARED_WORDS_MIN = 5
SHARED_CJK_CHARACTERS_MIN = 8
# A number or code of this length is looked for everywhere; in more places than this it is no
# sign of the text any more.
TELLING_LETTERS_MIN = 4
TELLING_PLACES_MAX = 64

assert DISK_FREE_BYTES_MIN < DISK_FREE_BYTES_LOW
assert ITEMS_DEFAULT <= HITS_PER_RETRIEVER_DEFAULT <= SUPPRESSED_MAX
assert HITS_PER_RETRIEVER_DEFAULT <= ITEMS_MAX <= HITS_PER_RETRIEVER_MAX
assert PACK_BYTES_MIN <= BYTES_DEFAULT <= BYTES_MAX
assert WAIT_MS_DEFAULT <= WAIT_MS_MAX < 2**31
assert PASSAGE_OVERLAP_BYTES_MAX < PASSAGE_BYTES_MAX < PASSAGE_ABOVE_BYTES
assert PASSAGES_PER_TEXT_MAX * (PASSAGE_BYTES_MAX - PASSAGE_OVERLAP_BYTES_MAX) > MESSAGE_BYTES_MAX
assert STATE_VALUE_BYTES_MAX * STATE_WRITES_PER_COMMIT_MAX >= STATE_BYTES_MAX
