-- Whom a one-time login lets in, and when a session ends however much is done in it. All times are wall time.

ALTER TABLE one_time_logins ADD COLUMN subject TEXT NOT NULL DEFAULT 'operator';

-- The token that a session was opened with, if it was one: a session ends with its token.
ALTER TABLE sessions ADD COLUMN token TEXT;
ALTER TABLE sessions ADD COLUMN ends_wall_ms BIGINT NOT NULL DEFAULT 0;
CREATE INDEX sessions_by_token ON sessions (token);
