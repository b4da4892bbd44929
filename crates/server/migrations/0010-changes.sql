-- Counts the changes of a run, so that whoever keeps its recommendations in memory asks only for what is new.

ALTER TABLE recommendations ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX recommendations_by_change ON recommendations (run, changed);
