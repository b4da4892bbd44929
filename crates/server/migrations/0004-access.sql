-- Who may do what. Secrets are never here, only their hashes. All times are wall time.

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    scope TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,
    created_by TEXT NOT NULL,
    created_wall_ms BIGINT NOT NULL,
    expires_wall_ms BIGINT,
    used_wall_ms BIGINT,
    revoked_wall_ms BIGINT
);

CREATE TABLE sessions (
    secret_hash TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    scope TEXT NOT NULL,
    csrf_hash TEXT NOT NULL,
    created_wall_ms BIGINT NOT NULL,
    expires_wall_ms BIGINT NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_wall_ms);
CREATE INDEX sessions_by_subject ON sessions (subject);

CREATE TABLE one_time_logins (
    secret_hash TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    expires_wall_ms BIGINT NOT NULL,
    used_wall_ms BIGINT
);

-- Requests that were sent with a key, so that sending one twice does it once.
CREATE TABLE idempotency (
    subject TEXT NOT NULL,
    request_key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    -- None of these three while the request is under way.
    status BIGINT,
    headers TEXT,
    body TEXT,
    created_wall_ms BIGINT NOT NULL,
    PRIMARY KEY (subject, request_key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_wall_ms);
