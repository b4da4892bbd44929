-- What the loop of a run on real clusters knew at an entry of the record, so that earlier observations may go. The entry names the
-- hash of the text.

CREATE TABLE checkpoints (
    run TEXT PRIMARY KEY REFERENCES runs (id),
    seq BIGINT NOT NULL,
    body TEXT NOT NULL
);
