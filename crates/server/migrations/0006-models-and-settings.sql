-- What agents learned, and what people set.

CREATE TABLE models (
    hash TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    card TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    created_wall_ms BIGINT NOT NULL,
    -- Bytes as base64: both databases know text.
    body TEXT NOT NULL
);
CREATE INDEX models_by_name ON models (name, created_wall_ms);

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    version BIGINT NOT NULL
);
