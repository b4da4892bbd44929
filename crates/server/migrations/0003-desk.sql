-- What people did about recommendations, what became of it, and what they allow.

CREATE TABLE reviews (
    run TEXT NOT NULL,
    recommendation BIGINT NOT NULL,
    -- The entry of the journal that recorded it.
    seq BIGINT NOT NULL REFERENCES journal (seq),
    reviewer TEXT NOT NULL,
    verdict TEXT NOT NULL,
    note TEXT,
    plan_hash TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    wall_ms BIGINT NOT NULL,
    PRIMARY KEY (run, recommendation, seq),
    FOREIGN KEY (run, recommendation) REFERENCES recommendations (run, id)
);
CREATE INDEX reviews_by_reviewer ON reviews (reviewer, wall_ms);

CREATE TABLE executions (
    run TEXT NOT NULL,
    recommendation BIGINT NOT NULL,
    stage TEXT NOT NULL,
    begun_at_ms BIGINT NOT NULL,
    ended_at_ms BIGINT,
    steps TEXT NOT NULL,
    score TEXT,
    -- The recommendation that this one takes back.
    rollback_of BIGINT,
    PRIMARY KEY (run, recommendation),
    FOREIGN KEY (run, recommendation) REFERENCES recommendations (run, id)
);
CREATE INDEX executions_by_stage ON executions (run, stage, begun_at_ms);

CREATE TABLE freezes (
    id TEXT PRIMARY KEY,
    scope_kind TEXT NOT NULL,
    scope_value TEXT NOT NULL,
    reason TEXT NOT NULL,
    frozen_by TEXT NOT NULL,
    since_ms BIGINT NOT NULL,
    until_ms BIGINT,
    lifted_at_ms BIGINT,
    lifted_by TEXT
);
CREATE INDEX freezes_by_begin ON freezes (since_ms, id);

-- An empty agent means all of them, an empty scope everywhere.
CREATE TABLE modes (
    agent TEXT NOT NULL,
    scope TEXT NOT NULL,
    mode TEXT NOT NULL,
    settings TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    changed_wall_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, scope)
);

CREATE TABLE track_records (
    agent TEXT NOT NULL,
    measure TEXT NOT NULL,
    predictions BIGINT NOT NULL,
    inside BIGINT NOT NULL,
    error_sum DOUBLE PRECISION NOT NULL,
    absolute_error_sum DOUBLE PRECISION NOT NULL,
    changed_wall_ms BIGINT NOT NULL,
    PRIMARY KEY (agent, measure)
);
