/**
 * The table of pieces is the queue itself: which piece waits, who has it and how it ended stand in one place. The index keeps
 * taking the next piece quick, however many are done.
 */
export const PIECES_ARE_THE_QUEUE = `
  -- Only workers of earlier versions, which may still be running, read it.
  ALTER TABLE fabula.pieces ALTER COLUMN round SET DEFAULT 1;
  CREATE INDEX pieces_open ON fabula.pieces (run_id, position) WHERE state IN ('queued', 'working');
  CREATE INDEX pieces_by_worker ON fabula.pieces (worker) WHERE state = 'working';

  -- The models a run asks, apart from its other options, which hold texts that the server's JSON need not be able to read.
  ALTER TABLE fabula.shared_runs ADD COLUMN models TEXT NOT NULL DEFAULT '[]';

  -- Whether a worker that asks these models only (a JSON list; null: any) can do a run that asks those.
  CREATE FUNCTION fabula.may_ask(its_judges TEXT, its_models TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
    SELECT its_judges IS NULL OR its_judges::jsonb @> its_models::jsonb
  $$;
`;
