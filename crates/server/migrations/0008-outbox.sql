-- What others are still to be told: one row per event and webhook, written together with the entry that it tells of. All times are
-- wall time. Nothing was ever kept in the table that this one replaces.

DROP TABLE deliveries;

CREATE TABLE deliveries (
    webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL REFERENCES journal (seq),
    -- Which event of the entry it is, from 0.
    part BIGINT NOT NULL,
    -- By this a receiver recognises a second message about the same.
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Exactly what is sent.
    body TEXT NOT NULL,
    noted_wall_ms BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    next_wall_ms BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
    last_error TEXT,
    changed_wall_ms BIGINT NOT NULL,
    PRIMARY KEY (webhook, seq, part)
);
CREATE INDEX deliveries_by_turn ON deliveries (webhook, state, next_wall_ms, seq, part);
CREATE INDEX deliveries_by_change ON deliveries (state, changed_wall_ms);

-- How it goes, beyond what is still in the table above.
ALTER TABLE webhooks ADD COLUMN delivered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN succeeded_wall_ms BIGINT;
ALTER TABLE webhooks ADD COLUMN failed_wall_ms BIGINT;
ALTER TABLE webhooks ADD COLUMN last_error TEXT;
