-- The documents of a recommendation are many times as large as what lists show of it. In a table of their own they do not stand in
-- the way of whoever searches, sorts and counts.

CREATE TABLE recommendation_documents (
    run TEXT NOT NULL,
    id BIGINT NOT NULL,
    body TEXT NOT NULL,
    assessment TEXT,
    prediction TEXT,
    reviews TEXT,
    outcome TEXT,
    PRIMARY KEY (run, id),
    FOREIGN KEY (run, id) REFERENCES recommendations (run, id)
);
INSERT INTO recommendation_documents (run, id, body, assessment, prediction, reviews, outcome)
    SELECT run, id, body, assessment, prediction, reviews, outcome FROM recommendations;

ALTER TABLE recommendations ADD COLUMN action TEXT NOT NULL DEFAULT '';
ALTER TABLE recommendations ADD COLUMN predicted BIGINT NOT NULL DEFAULT 0;
-- What is searched for texts, so that nobody has to put it together for every row.
ALTER TABLE recommendations ADD COLUMN haystack TEXT NOT NULL DEFAULT '';
-- What was there before has no sentence of its own; this one says as much as the columns do.
UPDATE recommendations SET
    predicted = CASE WHEN prediction IS NULL THEN 0 ELSE 1 END,
    haystack = LOWER(COALESCE(workload, '') || '
' || agent || '
' || reason),
    action = kind || ' ' || COALESCE(workload || ' ', '') || CASE
        WHEN to_cluster IS NULL OR to_cluster = from_cluster THEN 'in ' || COALESCE(from_cluster, '')
        ELSE 'from ' || COALESCE(from_cluster, '') || ' to ' || to_cluster END;

ALTER TABLE recommendations DROP COLUMN body;
ALTER TABLE recommendations DROP COLUMN assessment;
ALTER TABLE recommendations DROP COLUMN prediction;
ALTER TABLE recommendations DROP COLUMN reviews;
ALTER TABLE recommendations DROP COLUMN outcome;

-- Counting what a filter lets through, and sorting it in an order that has no index, reads one of these and nothing else.
CREATE INDEX recommendations_by_filters ON recommendations (run, stage, risk, namespace, from_cluster, to_cluster, agent, kind, id);
-- only sqlite
-- PostgreSQL does not index texts of any length, and reads its tables fast enough without.
CREATE INDEX recommendations_by_text ON recommendations (run, haystack, id);
-- both
