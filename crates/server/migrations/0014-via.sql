-- What whoever did something showed: the number of a token or a session. Older entries have none, and their hashes are made without it.
ALTER TABLE journal ADD COLUMN via TEXT;
