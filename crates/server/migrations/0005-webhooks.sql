-- Who wants to be told, and what is still to be told. All times are wall time.

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    -- Where the secret is to be found, never the secret.
    secret_reference TEXT,
    created_by TEXT NOT NULL,
    created_wall_ms BIGINT NOT NULL,
    disabled_wall_ms BIGINT
);

CREATE TABLE deliveries (
    webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL REFERENCES journal (seq),
    attempt BIGINT NOT NULL,
    next_wall_ms BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
    last_error TEXT,
    changed_wall_ms BIGINT NOT NULL,
    PRIMARY KEY (webhook, seq)
);
CREATE INDEX deliveries_by_turn ON deliveries (state, next_wall_ms, webhook, seq);
