-- Runs, and the record of everything that happened in any of them.
-- Columns that end in at_ms are virtual time of a run unless they say wall; columns of rooms without a run are wall time.

CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('simulated', 'real')),
    scenario TEXT NOT NULL,
    scenario_hash TEXT NOT NULL,
    seed TEXT NOT NULL,
    build TEXT NOT NULL,
    header TEXT NOT NULL,
    started_wall_ms BIGINT NOT NULL,
    ended_wall_ms BIGINT,
    status TEXT NOT NULL,
    last_seq BIGINT NOT NULL
);
CREATE INDEX runs_by_start ON runs (started_wall_ms, id);

CREATE TABLE journal (
    seq BIGINT PRIMARY KEY,
    run TEXT REFERENCES runs (id),
    at_ms BIGINT NOT NULL,
    wall_ms BIGINT NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX journal_by_run ON journal (run, seq);
CREATE INDEX journal_by_kind ON journal (kind, seq);
CREATE INDEX journal_by_actor ON journal (actor, seq);
CREATE INDEX journal_by_subject ON journal (subject, seq);
CREATE INDEX journal_by_wall ON journal (wall_ms);

-- Whoever reaches the database with this program's rights can add to the journal, and nothing else.
-- only sqlite
CREATE TRIGGER journal_only_grows BEFORE INSERT ON journal
WHEN NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM journal)
BEGIN SELECT RAISE(ABORT, 'the journal only grows at its end'); END;
CREATE TRIGGER journal_is_not_updated BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
-- only postgres
CREATE FUNCTION refuse_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM journal) THEN
        RAISE EXCEPTION 'the journal only grows at its end' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the journal is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER journal_only_grows BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION refuse_gap();
CREATE TRIGGER journal_is_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- both

CREATE TABLE snapshots (
    hash TEXT PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    taken_at_ms BIGINT NOT NULL,
    stored_wall_ms BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX snapshots_by_run ON snapshots (run, taken_at_ms);
CREATE INDEX snapshots_by_storing ON snapshots (stored_wall_ms, hash);
