/**
 * The tables and functions by which workers on many machines agree: who is alive, which pieces of work there are, how much of
 * a provider's limit and of a run's budget each may use, and who asks what. Functions that others may be calling are never
 * changed: a change is a new function with a new name, so that workers of two versions can work side by side.
 *
 * Every function may be called again when nobody heard its answer: workers say what they hold, not what they take.
 */
export const SHARED_WORK = `
  CREATE TABLE fabula.workers (
    id TEXT COLLATE "C" PRIMARY KEY,
    version TEXT NOT NULL,
    judges TEXT,
    state TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    seen_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
  );

  CREATE TABLE fabula.shared_runs (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    job TEXT NOT NULL,
    maximum_cost DOUBLE PRECISION,
    spent_before DOUBLE PRECISION NOT NULL,
    queued_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
  );

  CREATE TABLE fabula.shared_limits (
    run_id TEXT COLLATE "C" NOT NULL,
    provider TEXT COLLATE "C" NOT NULL,
    concurrency INTEGER NOT NULL,
    requests_per_minute DOUBLE PRECISION,
    tokens_per_minute DOUBLE PRECISION,
    PRIMARY KEY (provider, run_id)
  );

  CREATE TABLE fabula.inputs (
    hash TEXT COLLATE "C" PRIMARY KEY,
    body TEXT NOT NULL
  );

  CREATE TABLE fabula.pieces (
    run_id TEXT COLLATE "C" NOT NULL,
    position INTEGER NOT NULL,
    input TEXT COLLATE "C" NOT NULL,
    label TEXT NOT NULL,
    round INTEGER NOT NULL,
    state TEXT NOT NULL,
    worker TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    failed_calls INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    result TEXT,
    started_at TIMESTAMPTZ,
    finished_at TIMESTAMPTZ,
    PRIMARY KEY (run_id, position)
  );
  CREATE INDEX pieces_by_input ON fabula.pieces (input);

  CREATE TABLE fabula.permits (
    provider TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    wanted INTEGER NOT NULL,
    held INTEGER NOT NULL,
    PRIMARY KEY (provider, worker)
  );

  CREATE TABLE fabula.rates (
    provider TEXT COLLATE "C" PRIMARY KEY,
    requests DOUBLE PRECISION,
    tokens DOUBLE PRECISION,
    filled_at TIMESTAMPTZ NOT NULL
  );

  CREATE TABLE fabula.spending (
    run_id TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    reserved DOUBLE PRECISION NOT NULL,
    spent DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run_id, worker)
  );

  CREATE TABLE fabula.claims (
    key TEXT COLLATE "C" PRIMARY KEY,
    worker TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX claims_by_worker ON fabula.claims (worker);

  -- After a restart of the server nobody could say for a while that they are alive: everyone has as long again.
  CREATE FUNCTION fabula.living_workers() RETURNS SETOF TEXT LANGUAGE sql VOLATILE AS $$
    SELECT w.id FROM fabula.workers w
    WHERE w.state <> 'gone' AND greatest(w.expires_at, pg_postmaster_start_time() + (w.expires_at - w.seen_at)) > clock_timestamp()
  $$;

  -- Those who want little get all of it; the rest is shared evenly. What others hold is never taken from them: they see in
  -- their own answer that their share has shrunk, and give back as their calls end.
  CREATE FUNCTION fabula.share_permits(
    its_provider TEXT, its_worker TEXT, its_keep INTEGER, its_wanted INTEGER, otherwise INTEGER,
    OUT now_held INTEGER, OUT now_share INTEGER, OUT has_rate BOOLEAN
  ) LANGUAGE plpgsql AS $$
  DECLARE
    most INTEGER;
    others INTEGER;
    remaining INTEGER;
    sharers INTEGER;
    one RECORD;
    part INTEGER;
  BEGIN
    PERFORM pg_advisory_xact_lock(722064, hashtext(its_provider));
    DELETE FROM fabula.permits p WHERE p.provider = its_provider AND p.worker <> its_worker
      AND p.worker NOT IN (SELECT fabula.living_workers());
    SELECT coalesce(min(l.concurrency), otherwise), count(l.requests_per_minute) + count(l.tokens_per_minute) > 0
      INTO most, has_rate
      FROM fabula.shared_limits l JOIN fabula.shared_runs r USING (run_id)
      WHERE l.provider = its_provider AND r.state = 'open';
    INSERT INTO fabula.permits AS p (provider, worker, wanted, held) VALUES (its_provider, its_worker, its_wanted, its_keep)
      ON CONFLICT (provider, worker) DO UPDATE SET wanted = its_wanted;
    SELECT coalesce(sum(p.held), 0) INTO others FROM fabula.permits p
      WHERE p.provider = its_provider AND p.worker <> its_worker;
    SELECT count(*) INTO sharers FROM fabula.permits p WHERE p.provider = its_provider;
    remaining := most;
    FOR one IN SELECT p.worker, p.wanted FROM fabula.permits p WHERE p.provider = its_provider ORDER BY p.wanted, p.worker LOOP
      part := least(one.wanted, remaining / sharers);
      IF one.worker = its_worker THEN now_share := part; END IF;
      remaining := remaining - part;
      sharers := sharers - 1;
    END LOOP;
    now_held := greatest(its_keep, least(now_share, most - others), 0);
    UPDATE fabula.permits p SET held = now_held WHERE p.provider = its_provider AND p.worker = its_worker;
  END
  $$;

  -- A bucket that fills steadily, for requests and for tokens. It is small, and fills a little slower than the limit, so that
  -- no minute, wherever it is begun, holds more than the limit: what was granted may be sent up to a second later.
  CREATE FUNCTION fabula.share_rate(
    its_provider TEXT, its_tokens DOUBLE PRECISION[], OUT granted INTEGER, OUT wait_milliseconds DOUBLE PRECISION
  ) LANGUAGE plpgsql AS $$
  DECLARE
    request_limit DOUBLE PRECISION;
    token_limit DOUBLE PRECISION;
    request_room DOUBLE PRECISION;
    token_room DOUBLE PRECISION;
    request_speed DOUBLE PRECISION;
    token_speed DOUBLE PRECISION;
    bucket RECORD;
    moment TIMESTAMPTZ;
    passed DOUBLE PRECISION;
    wanted DOUBLE PRECISION;
    lacking DOUBLE PRECISION;
  BEGIN
    granted := 0;
    wait_milliseconds := 0;
    SELECT min(l.requests_per_minute), min(l.tokens_per_minute) INTO request_limit, token_limit
      FROM fabula.shared_limits l JOIN fabula.shared_runs r USING (run_id)
      WHERE l.provider = its_provider AND r.state = 'open';
    IF request_limit IS NULL AND token_limit IS NULL THEN
      granted := cardinality(its_tokens);
      RETURN;
    END IF;
    request_room := greatest(1, request_limit * 0.02);
    request_speed := (request_limit - (request_room - 1)) / 61;
    token_room := token_limit * 0.05;
    token_speed := (token_limit - token_room) / 61;
    INSERT INTO fabula.rates (provider, requests, tokens, filled_at)
      VALUES (its_provider, request_room, token_room, clock_timestamp()) ON CONFLICT DO NOTHING;
    SELECT * INTO bucket FROM fabula.rates b WHERE b.provider = its_provider FOR UPDATE;
    moment := clock_timestamp();
    passed := greatest(0, extract(epoch FROM moment - bucket.filled_at));
    bucket.requests := least(request_room, coalesce(bucket.requests, request_room) + passed * request_speed);
    bucket.tokens := least(token_room, coalesce(bucket.tokens, token_room) + passed * token_speed);
    FOREACH wanted IN ARRAY its_tokens LOOP
      IF request_limit IS NOT NULL AND bucket.requests < 1 THEN
        wait_milliseconds := greatest(wait_milliseconds, (1 - bucket.requests) / request_speed * 1000);
      END IF;
      -- A request larger than the bucket goes when the bucket is full, and those after it wait the longer.
      lacking := least(wanted, token_room) - bucket.tokens;
      IF token_limit IS NOT NULL AND lacking > 0 THEN
        wait_milliseconds := greatest(wait_milliseconds, lacking / token_speed * 1000);
      END IF;
      EXIT WHEN wait_milliseconds > 0;
      bucket.requests := bucket.requests - 1;
      bucket.tokens := bucket.tokens - wanted;
      granted := granted + 1;
    END LOOP;
    UPDATE fabula.rates b SET requests = bucket.requests, tokens = bucket.tokens, filled_at = moment
      WHERE b.provider = its_provider;
  END
  $$;

  -- What a dead worker had set aside may have been billed: it counts as spent.
  CREATE FUNCTION fabula.share_budget(
    its_run TEXT, its_worker TEXT, its_reserved DOUBLE PRECISION, its_spent DOUBLE PRECISION, its_wanted DOUBLE PRECISION[],
    OUT granted INTEGER, OUT reserved_elsewhere DOUBLE PRECISION, OUT spent_in_all DOUBLE PRECISION
  ) LANGUAGE plpgsql AS $$
  DECLARE
    most DOUBLE PRECISION;
    spent_earlier DOUBLE PRECISION;
    one DOUBLE PRECISION;
    set_aside DOUBLE PRECISION := its_reserved;
  BEGIN
    granted := 0;
    SELECT r.maximum_cost, r.spent_before INTO most, spent_earlier
      FROM fabula.shared_runs r WHERE r.run_id = its_run FOR UPDATE;
    UPDATE fabula.spending s SET spent = s.spent + s.reserved, reserved = 0
      WHERE s.run_id = its_run AND s.reserved > 0 AND s.worker <> its_worker
        AND s.worker NOT IN (SELECT fabula.living_workers());
    INSERT INTO fabula.spending AS s (run_id, worker, reserved, spent) VALUES (its_run, its_worker, its_reserved, its_spent)
      ON CONFLICT (run_id, worker) DO UPDATE SET reserved = its_reserved, spent = its_spent;
    SELECT coalesce(sum(s.reserved) FILTER (WHERE s.worker <> its_worker), 0), spent_earlier + sum(s.spent)
      INTO reserved_elsewhere, spent_in_all FROM fabula.spending s WHERE s.run_id = its_run;
    FOREACH one IN ARRAY its_wanted LOOP
      EXIT WHEN most IS NOT NULL AND spent_in_all + reserved_elsewhere + set_aside + one > most;
      set_aside := set_aside + one;
      granted := granted + 1;
    END LOOP;
    UPDATE fabula.spending s SET reserved = set_aside WHERE s.run_id = its_run AND s.worker = its_worker;
  END
  $$;

  CREATE FUNCTION fabula.claim_calls(its_worker TEXT, its_keys TEXT[])
  RETURNS TABLE (claimed_key TEXT, is_answered BOOLEAN) LANGUAGE plpgsql AS $$
  DECLARE
    taken TEXT[];
  BEGIN
    WITH wanted AS (
      INSERT INTO fabula.claims AS c (key, worker)
        SELECT k, its_worker FROM unnest(its_keys) AS k ORDER BY k
        ON CONFLICT (key) DO UPDATE SET worker = its_worker
          WHERE c.worker = its_worker OR c.worker NOT IN (SELECT fabula.living_workers())
        RETURNING c.key
    ) SELECT array_agg(w.key) INTO taken FROM wanted w;
    RETURN QUERY SELECT t, EXISTS (SELECT 1 FROM fabula.calls a WHERE a.key = t) FROM unnest(taken) AS t;
  END
  $$;
`;
