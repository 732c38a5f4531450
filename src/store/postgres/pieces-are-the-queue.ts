/**
 * The table of pieces is the queue itself: which piece waits, who has it and how it ended stand in one place. The index keeps
 * taking the next piece quick, however many are done.
 */
export const PIECES_ARE_THE_QUEUE = `
  -- Only workers of earlier versions, which may still be running, read it.
  ALTER TABLE fabula.pieces ALTER COLUMN round SET DEFAULT 1;
  CREATE INDEX pieces_open ON fabula.pieces (run_id, position) WHERE state IN ('queued', 'working');
  CREATE INDEX pieces_by_worker ON fabula.pieces (worker) WHERE state = 'working';

  -- Whether a worker that asks these models only (a JSON list; null: any) can do a job.
  CREATE FUNCTION fabula.may_ask(its_judges TEXT, its_job TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
    SELECT its_judges IS NULL OR NOT EXISTS (
      SELECT 1 FROM jsonb_array_elements(its_job::jsonb -> 'models') AS asked
      WHERE NOT its_judges::jsonb @> jsonb_build_array(asked -> 'id'))
  $$;
`;
