-- What the agents recommended, as it stands now. Everything here can be made again from the journal.

CREATE TABLE recommendations (
    run TEXT NOT NULL REFERENCES runs (id),
    id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    stage TEXT NOT NULL,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    workload TEXT,
    namespace TEXT,
    from_cluster TEXT,
    to_cluster TEXT,
    risk BIGINT NOT NULL CHECK (risk BETWEEN 0 AND 3),
    raised_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    settled_at_ms BIGINT,
    deferred_until_ms BIGINT,
    plan_hash TEXT NOT NULL,
    benefit DOUBLE PRECISION,
    reason TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    body TEXT NOT NULL,
    assessment TEXT,
    prediction TEXT,
    reviews TEXT,
    outcome TEXT,
    PRIMARY KEY (run, id)
);
-- The list as it is shown first, and one stage of it.
CREATE INDEX recommendations_by_raised ON recommendations (run, raised_at_ms, id);
CREATE INDEX recommendations_by_stage ON recommendations (run, stage, raised_at_ms, id);
-- Other orders that people work by. An absent value sorts last or first by a stand-in; the list uses the same expressions.
CREATE INDEX recommendations_by_expiry ON recommendations (run, expires_at_ms, id);
CREATE INDEX recommendations_by_risk ON recommendations (run, risk, id);
CREATE INDEX recommendations_by_settled ON recommendations (run, (COALESCE(settled_at_ms, 9223372036854775807)), id);
CREATE INDEX recommendations_by_benefit ON recommendations (run, (COALESCE(benefit, CAST(-1e308 AS DOUBLE PRECISION))), id);
CREATE INDEX recommendations_by_workload ON recommendations (run, (COALESCE(workload, '')), id);
