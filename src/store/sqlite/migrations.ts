/**
 * The schema, one step per release that changed it. A step that has shipped is never edited: a store made by any earlier
 * version opens by running the steps it lacks.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE requests (
    hash TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE calls (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    sample INTEGER NOT NULL,
    request_hash TEXT NOT NULL,
    stop TEXT NOT NULL,
    served_by TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost REAL,
    latency_milliseconds REAL NOT NULL,
    attempts INTEGER NOT NULL,
    answered_at TEXT NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT
  ) STRICT;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    folder TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT,
    maximum_cost REAL,
    started_at TEXT NOT NULL,
    worker TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    finished_at TEXT
  ) STRICT;
  CREATE INDEX runs_by_start ON runs (started_at);

  CREATE TABLE uses (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    outcome TEXT NOT NULL,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    cost REAL,
    reason TEXT,
    at TEXT NOT NULL,
    UNIQUE (run_id, key)
  ) STRICT;
  CREATE INDEX uses_by_run ON uses (run_id, position);

  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_run ON events (run_id, position);

  CREATE TABLE batches (
    token TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_id TEXT,
    submitted_at TEXT NOT NULL,
    collected INTEGER NOT NULL,
    keys TEXT NOT NULL
  ) STRICT;
  CREATE INDEX batches_open ON batches (model) WHERE collected = 0;
  `,
  // Totals of a run without a look at each of its calls.
  `
  ALTER TABLE uses ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE uses ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
  UPDATE uses SET
    input_tokens = coalesce((SELECT c.input_tokens FROM calls c WHERE c.key = uses.key), 0),
    output_tokens = coalesce((SELECT c.output_tokens FROM calls c WHERE c.key = uses.key), 0)
  WHERE outcome <> 'failed';
  `,
  // What runs leave beside their calls, which used to lie in a folder beside the store.
  `
  CREATE TABLE papers (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (run_id, name)
  ) STRICT;
  `,
  "ALTER TABLE papers RENAME TO run_metadata",
  // What was asked of a call that got no answer.
  "ALTER TABLE uses ADD COLUMN request_hash TEXT",
];
