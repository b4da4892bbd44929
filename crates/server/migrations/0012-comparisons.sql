-- Comparisons of the laboratory: what lists show of each, and what it showed if it came to its end.

CREATE TABLE comparisons (
    number BIGINT PRIMARY KEY,
    state TEXT NOT NULL,
    item TEXT NOT NULL,
    results TEXT,
    document TEXT,
    figures TEXT
);
