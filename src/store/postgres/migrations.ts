import { PIECES_ARE_THE_QUEUE } from "./pieces-are-the-queue.ts";
import { SHARED_WORK } from "./shared-work.ts";

/**
 * The schema in PostgreSQL, one step per release that changed it. A step that has shipped is never edited: a store made by
 * any earlier version opens by running the steps it lacks. Everything lies in a schema of its own, beside whatever else the
 * database holds. Text compares byte by byte, as in SQLite, whatever the language of the server.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE fabula.requests (
    hash TEXT COLLATE "C" PRIMARY KEY,
    body TEXT NOT NULL
  );

  CREATE TABLE fabula.calls (
    key TEXT COLLATE "C" PRIMARY KEY,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    sample BIGINT NOT NULL,
    request_hash TEXT NOT NULL,
    stop TEXT NOT NULL,
    served_by TEXT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_input_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION,
    latency_milliseconds DOUBLE PRECISION NOT NULL,
    attempts BIGINT NOT NULL,
    answered_at TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT
  );

  CREATE TABLE fabula.runs (
    id TEXT COLLATE "C" PRIMARY KEY,
    command TEXT NOT NULL,
    folder TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT,
    maximum_cost DOUBLE PRECISION,
    started_at TEXT COLLATE "C" NOT NULL,
    worker TEXT NOT NULL,
    seen_at TEXT COLLATE "C" NOT NULL,
    finished_at TEXT COLLATE "C"
  );
  CREATE INDEX runs_by_start ON fabula.runs (started_at, id);

  -- "written" names the write that a row comes from: one that is sent again, because nobody heard whether it arrived,
  -- is then known and not added twice.
  CREATE TABLE fabula.uses (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    cost DOUBLE PRECISION,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    reason TEXT,
    at TEXT COLLATE "C" NOT NULL,
    written UUID,
    UNIQUE (run_id, key)
  );
  CREATE INDEX uses_by_run ON fabula.uses (run_id, position);

  CREATE TABLE fabula.events (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    written UUID
  );
  CREATE INDEX events_by_run ON fabula.events (run_id, position);

  CREATE TABLE fabula.batches (
    token TEXT COLLATE "C" PRIMARY KEY,
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_id TEXT,
    submitted_at TEXT COLLATE "C" NOT NULL,
    collected BOOLEAN NOT NULL,
    keys TEXT NOT NULL
  );
  CREATE INDEX batches_open ON fabula.batches (model) WHERE NOT collected;
  `,
  `
  CREATE TABLE fabula.papers (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    UNIQUE (run_id, name)
  );
  `,
  SHARED_WORK,
  PIECES_ARE_THE_QUEUE,
  "ALTER TABLE fabula.papers RENAME TO run_metadata",
  // What was asked of a call that got no answer.
  "ALTER TABLE fabula.uses ADD COLUMN request_hash TEXT",
];
