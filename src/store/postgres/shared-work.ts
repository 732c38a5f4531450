/**
 * The tables and functions by which workers on many machines agree: who is alive, which pieces of work there are, how much of
 * a provider's limit and of a run's budget each may use, and who asks what. Functions that others may be calling are never
 * changed: a change is a new function with a new name, so that workers of two versions can work side by side.
 *
 * Every function may be called again when its answer was lost: workers say what they hold, not what they take.
 */
export const SHARED_WORK = `
  -- The clock of all workers. Tests put another in its place.
  CREATE FUNCTION fabula.now() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;

  -- "working": takes pieces. "draining": ends those it has. "alone": does work of its own, and keeps to the limits with the others.
  CREATE TABLE fabula.workers (
    id TEXT COLLATE "C" PRIMARY KEY,
    version TEXT NOT NULL,
    judges TEXT,
    state TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL DEFAULT fabula.now(),
    seen_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
  );

  -- "open": workers take its pieces. "ended": no piece is left, the result waits for whoever asks for it. "closed": it was
  -- delivered, failed or was cancelled, and its inputs go. Of a run that is not whole, pieces are still being queued.
  CREATE TABLE fabula.shared_runs (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    is_whole BOOLEAN NOT NULL DEFAULT FALSE,
    -- Until they have all been deleted, or were left to others.
    has_inputs BOOLEAN NOT NULL DEFAULT TRUE,
    owner TEXT COLLATE "C" NOT NULL DEFAULT '',
    priority INTEGER NOT NULL DEFAULT 0,
    job TEXT NOT NULL,
    -- The models it asks, apart from its other options, which hold texts that the server's JSON need not be able to read.
    models TEXT NOT NULL DEFAULT '[]',
    maximum_cost DOUBLE PRECISION,
    spent_before DOUBLE PRECISION NOT NULL,
    queued_at TIMESTAMPTZ NOT NULL DEFAULT fabula.now(),
    ended_at TIMESTAMPTZ
  );
  CREATE INDEX shared_runs_open ON fabula.shared_runs (run_id) WHERE state = 'open';

  -- How far a run is, counted as its pieces change: reading it costs the same however many there are. Each row changes often,
  -- and the free space in its page lets that happen without touching the index.
  CREATE SEQUENCE fabula.pieces_begun;
  CREATE TABLE fabula.run_progress (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    total INTEGER NOT NULL DEFAULT 0,
    queued INTEGER NOT NULL DEFAULT 0,
    working INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    with_gaps INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    -- How often a piece was done, which never falls: "done" does when pieces are queued again.
    finished BIGINT NOT NULL DEFAULT 0,
    -- When a piece of it was last begun, counted in pieces begun: a clock can be set back, and whoever was served before would wait until it is as late again.
    served BIGINT
  ) WITH (fillfactor = 20);

  CREATE TABLE fabula.run_workers (
    run_id TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    working INTEGER NOT NULL,
    done INTEGER NOT NULL,
    PRIMARY KEY (run_id, worker)
  ) WITH (fillfactor = 50);

  -- Runs that a worker cannot do: it has no key for one of their models, or lacks a package.
  CREATE TABLE fabula.refusals (
    run_id TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run_id, worker)
  );

  -- What a run asks for itself.
  CREATE TABLE fabula.shared_limits (
    run_id TEXT COLLATE "C" NOT NULL,
    provider TEXT COLLATE "C" NOT NULL,
    concurrency INTEGER NOT NULL,
    requests_per_minute DOUBLE PRECISION,
    tokens_per_minute DOUBLE PRECISION,
    PRIMARY KEY (provider, run_id)
  );

  -- What the operator sets for all runs together.
  CREATE TABLE fabula.provider_limits (
    provider TEXT COLLATE "C" PRIMARY KEY,
    concurrency INTEGER,
    requests_per_minute DOUBLE PRECISION,
    tokens_per_minute DOUBLE PRECISION
  );

  -- An owner with a share of 2 gets twice the pieces of one with 1, which is what everybody has who is not named here.
  CREATE TABLE fabula.owner_shares (
    owner TEXT COLLATE "C" PRIMARY KEY,
    share DOUBLE PRECISION NOT NULL CHECK (share > 0)
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
    state TEXT NOT NULL,
    worker TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    failed_calls INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    result TEXT,
    queued_at TIMESTAMPTZ NOT NULL DEFAULT fabula.now(),
    started_at TIMESTAMPTZ,
    finished_at TIMESTAMPTZ,
    -- The worker that will do this piece, which was begun before, as soon as it holds nothing else.
    promised_to TEXT COLLATE "C",
    PRIMARY KEY (run_id, position)
  );
  CREATE INDEX pieces_by_input ON fabula.pieces (input);
  CREATE INDEX pieces_queued ON fabula.pieces (run_id, position) WHERE state = 'queued';
  CREATE INDEX pieces_to_retry ON fabula.pieces (run_id) WHERE state = 'queued' AND attempts > 0;
  CREATE INDEX pieces_promised ON fabula.pieces (promised_to) WHERE state = 'queued' AND promised_to IS NOT NULL;
  CREATE INDEX pieces_by_worker ON fabula.pieces (worker) WHERE state = 'working';
  CREATE INDEX pieces_in_vain ON fabula.pieces (run_id, position) WHERE state IN ('failed', 'dead');

  -- Of all runs together, under an empty run_id, and of a run that asks for less.
  CREATE TABLE fabula.permits (
    provider TEXT COLLATE "C" NOT NULL,
    run_id TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    wanted INTEGER NOT NULL,
    held INTEGER NOT NULL,
    agreed_at TIMESTAMPTZ NOT NULL DEFAULT fabula.now(),
    -- Since when it wants any.
    began_at TIMESTAMPTZ NOT NULL DEFAULT fabula.now(),
    -- How many calls at a time this worker would have all send, where neither the operator nor a run says anything.
    otherwise INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (provider, run_id, worker)
  );

  -- How long calls have waited for a permit in all, added up over calls and workers.
  CREATE TABLE fabula.permit_waits (
    provider TEXT COLLATE "C" PRIMARY KEY,
    seconds DOUBLE PRECISION NOT NULL
  );

  CREATE TABLE fabula.rates (
    provider TEXT COLLATE "C" NOT NULL,
    run_id TEXT COLLATE "C" NOT NULL,
    requests DOUBLE PRECISION,
    tokens DOUBLE PRECISION,
    filled_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (provider, run_id)
  );

  CREATE TABLE fabula.spending (
    run_id TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    reserved DOUBLE PRECISION NOT NULL,
    spent DOUBLE PRECISION NOT NULL,
    -- What this worker had set aside when it was declared gone.
    lost DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, worker)
  );

  CREATE TABLE fabula.claims (
    key TEXT COLLATE "C" PRIMARY KEY,
    worker TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX claims_by_worker ON fabula.claims (worker);

  -- Workers whose time has not run out. After a restart of the server nobody could renew it for a while: everyone has as long again.
  CREATE FUNCTION fabula.heard_workers() RETURNS SETOF TEXT LANGUAGE sql VOLATILE AS $$
    SELECT w.id FROM fabula.workers w
    WHERE w.state <> 'gone' AND greatest(w.expires_at, pg_postmaster_start_time() + (w.expires_at - w.seen_at)) > fabula.now()
  $$;

  -- Workers that keep what they hold. A worker's permits, claims and money go to others when it is declared gone, in one statement, and
  -- not as soon as its time has run out: it might renew it a moment later and go on using them.
  CREATE FUNCTION fabula.living_workers() RETURNS SETOF TEXT LANGUAGE sql VOLATILE AS $$
    SELECT w.id FROM fabula.workers w WHERE w.state <> 'gone'
  $$;

  -- Whether a worker that asks these models only (a JSON list; null: any) can do a run that asks those.
  CREATE FUNCTION fabula.may_ask(its_judges TEXT, its_models TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
    SELECT its_judges IS NULL OR its_judges::jsonb @> its_models::jsonb
  $$;

  CREATE FUNCTION fabula.has_refused(its_worker TEXT, its_run TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM fabula.refusals f WHERE f.run_id = its_run AND f.worker = its_worker)
  $$;

  -- What a provider may be sent by all runs together (an empty run_id), or by one run. The operator's word counts for all; where
  -- there is none, the most that any open run asks for. Runs that ask for little do not slow down those that ask for more; but a run
  -- without a rate keeps to the one of the others, as nobody has said that the provider takes more. That does not go for a process that
  -- does work of its own: it has a pace of its own.
  CREATE FUNCTION fabula.limits_of(its_provider TEXT, its_run TEXT)
  RETURNS TABLE (concurrency INTEGER, requests_per_minute DOUBLE PRECISION, tokens_per_minute DOUBLE PRECISION)
  LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(o.concurrency), max(l.concurrency)),
      coalesce(max(o.requests_per_minute), max(l.requests_per_minute)),
      coalesce(max(o.tokens_per_minute), max(l.tokens_per_minute))
    FROM (SELECT l.* FROM fabula.shared_limits l JOIN fabula.shared_runs r USING (run_id)
          WHERE l.provider = its_provider AND r.state = 'open' AND its_run IN ('', l.run_id)) l
    FULL JOIN (SELECT * FROM fabula.provider_limits WHERE provider = its_provider AND its_run = '') o ON TRUE
  $$;

  -- Those who want little get all of it; the rest is shared evenly. What others hold is never taken from them: they see in
  -- their own answer that their share has shrunk, and give back as their calls end.
  CREATE FUNCTION fabula.share_permits(
    its_provider TEXT, its_run TEXT, its_worker TEXT, its_keep INTEGER, its_wanted INTEGER, otherwise INTEGER,
    OUT now_held INTEGER, OUT now_share INTEGER, OUT has_rate BOOLEAN, OUT ask_again INTEGER
  ) LANGUAGE plpgsql AS $$
  DECLARE
    most INTEGER;
    of_operator INTEGER;
    of_runs INTEGER;
    others INTEGER;
    remaining INTEGER;
    sharers INTEGER;
    is_new BOOLEAN;
    one RECORD;
    part INTEGER;
  BEGIN
    PERFORM pg_advisory_xact_lock(722064, hashtext(its_provider || ' ' || its_run));
    -- One that does work of its own holds no pieces, and there may be no worker to declare it gone.
    UPDATE fabula.workers w SET state = 'gone' WHERE w.state = 'alone' AND w.id <> its_worker
      AND greatest(w.expires_at, pg_postmaster_start_time() + (w.expires_at - w.seen_at)) <= fabula.now();
    DELETE FROM fabula.permits p WHERE p.provider = its_provider AND p.run_id = its_run AND p.worker <> its_worker
      AND p.worker NOT IN (SELECT fabula.living_workers());
    SELECT max(o.concurrency), count(o.requests_per_minute) + count(o.tokens_per_minute) > 0 INTO of_operator, has_rate
      FROM fabula.provider_limits o WHERE o.provider = its_provider AND its_run = '';
    SELECT l.concurrency, has_rate OR (l.requests_per_minute IS NOT NULL OR l.tokens_per_minute IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM fabula.workers w WHERE w.id = its_worker AND w.state = 'alone')
      INTO of_runs, has_rate FROM fabula.limits_of(its_provider, its_run) l;
    -- One that was given up, and has not heard of it, gets no more: the others no longer count what it holds.
    IF its_worker NOT IN (SELECT fabula.living_workers()) THEN
      now_held := its_keep;
      now_share := 0;
      RETURN;
    END IF;
    INSERT INTO fabula.permit_waits AS s (provider, seconds)
      SELECT its_provider, (p.wanted - p.held) * least(5, extract(epoch FROM fabula.now() - p.agreed_at)) FROM fabula.permits p
      WHERE p.provider = its_provider AND p.run_id = its_run AND p.worker = its_worker AND p.wanted > p.held
      ON CONFLICT (provider) DO UPDATE SET seconds = s.seconds + excluded.seconds;
    INSERT INTO fabula.permits AS p (provider, run_id, worker, wanted, held, otherwise)
      VALUES (its_provider, its_run, its_worker, its_wanted, its_keep, share_permits.otherwise)
      ON CONFLICT (provider, run_id, worker) DO UPDATE SET wanted = its_wanted, otherwise = excluded.otherwise, agreed_at = fabula.now(),
        began_at = CASE WHEN p.wanted + p.held > 0 THEN p.began_at ELSE fabula.now() END
      RETURNING p.began_at BETWEEN fabula.now() - interval '300 milliseconds' AND fabula.now() INTO is_new;
    -- The same for all who share: with a smaller total of its own, one would get nothing while the others hold more than that.
    SELECT coalesce(of_operator, greatest(of_runs, max(p.otherwise) FILTER (WHERE w.state = 'alone')), max(p.otherwise)) INTO most
      FROM fabula.permits p JOIN fabula.workers w ON w.id = p.worker
      WHERE p.provider = its_provider AND p.run_id = its_run AND (p.wanted > 0 OR p.held > 0 OR p.worker = its_worker);
    SELECT coalesce(sum(p.held), 0) INTO others FROM fabula.permits p
      WHERE p.provider = its_provider AND p.run_id = its_run AND p.worker <> its_worker;
    SELECT count(*) INTO sharers FROM fabula.permits p WHERE p.provider = its_provider AND p.run_id = its_run;
    -- After how many milliseconds it is worth asking for more: another who has use for less than two rounds of calls will soon give some back.
    -- However many they are, together they ask no more often than twenty do otherwise.
    SELECT least(25 * sharers, 500) INTO ask_again FROM fabula.permits p
      WHERE p.provider = its_provider AND p.run_id = its_run AND p.worker <> its_worker AND p.held > 0 AND p.wanted < 2 * p.held LIMIT 1;
    remaining := most;
    FOR one IN SELECT p.worker, p.wanted FROM fabula.permits p WHERE p.provider = its_provider AND p.run_id = its_run
      ORDER BY p.wanted, p.worker LOOP
      part := remaining / sharers;
      -- What does not divide goes by name, so that it stays where it is while they want more or less, and with the same workers for the
      -- provider and for a run of its own limit: a permit that one may not use and another was not given is idle. Only if there are
      -- fewer permits than workers does it go to those who want most.
      IF part > 0 AND one.wanted > part THEN
        now_share := coalesce(now_share, part + CASE WHEN (SELECT count(*) FROM fabula.permits p
          WHERE p.provider = its_provider AND p.run_id = its_run AND p.wanted > part AND p.worker <= its_worker) <= remaining % sharers
          THEN 1 ELSE 0 END);
        EXIT;
      END IF;
      part := least(one.wanted, part);
      IF one.worker = its_worker THEN now_share := part; END IF;
      remaining := remaining - part;
      sharers := sharers - 1;
    END LOOP;
    now_held := greatest(its_keep, least(now_share, most - others), 0);
    -- When work is queued all workers begin at once. Whoever asks first must not take what the others ask for a moment later: they would
    -- have to wait until its calls end.
    IF is_new AND now_held > its_keep THEN
      now_held := greatest(its_keep, least(now_held, (SELECT ceil(most::numeric / greatest(count(*), 1)) FROM fabula.workers w
        WHERE w.state = 'working' OR w.id = its_worker)));
    END IF;
    UPDATE fabula.permits p SET held = now_held
      WHERE p.provider = its_provider AND p.run_id = its_run AND p.worker = its_worker;
  END
  $$;

  -- A bucket that fills steadily, for requests and for tokens. It is small, and fills a little slower than the limit, so that
  -- no minute, wherever it is begun, holds more than the limit: what was granted may be sent up to a second later.
  CREATE FUNCTION fabula.fill_bucket(
    its_provider TEXT, its_run TEXT, OUT requests DOUBLE PRECISION, OUT tokens DOUBLE PRECISION, OUT token_room DOUBLE PRECISION,
    OUT request_speed DOUBLE PRECISION, OUT token_speed DOUBLE PRECISION
  ) LANGUAGE plpgsql AS $$
  DECLARE
    request_limit DOUBLE PRECISION;
    token_limit DOUBLE PRECISION;
    request_room DOUBLE PRECISION;
    bucket RECORD;
    moment TIMESTAMPTZ;
    passed DOUBLE PRECISION;
  BEGIN
    SELECT l.requests_per_minute, l.tokens_per_minute INTO request_limit, token_limit
      FROM fabula.limits_of(its_provider, its_run) l;
    IF request_limit IS NULL AND token_limit IS NULL THEN
      RETURN;
    END IF;
    request_room := greatest(1, request_limit * 0.02);
    request_speed := (request_limit - (request_room - 1)) / 61;
    token_room := token_limit * 0.05;
    token_speed := (token_limit - token_room) / 61;
    INSERT INTO fabula.rates (provider, run_id, requests, tokens, filled_at)
      VALUES (its_provider, its_run, request_room, token_room, fabula.now()) ON CONFLICT DO NOTHING;
    SELECT * INTO bucket FROM fabula.rates b WHERE b.provider = its_provider AND b.run_id = its_run FOR UPDATE;
    moment := fabula.now();
    passed := greatest(0, extract(epoch FROM moment - bucket.filled_at));
    IF request_limit IS NOT NULL THEN
      requests := least(request_room, coalesce(bucket.requests, request_room) + passed * request_speed);
    END IF;
    IF token_limit IS NOT NULL THEN
      tokens := least(token_room, coalesce(bucket.tokens, token_room) + passed * token_speed);
    END IF;
    UPDATE fabula.rates b SET requests = fill_bucket.requests, tokens = fill_bucket.tokens, filled_at = moment
      WHERE b.provider = its_provider AND b.run_id = its_run;
  END
  $$;

  -- How long the next request has to wait for a bucket. One larger than the bucket goes when the bucket is full, and those after
  -- it wait the longer.
  CREATE FUNCTION fabula.bucket_wait(
    requests DOUBLE PRECISION, tokens DOUBLE PRECISION, token_room DOUBLE PRECISION, request_speed DOUBLE PRECISION,
    token_speed DOUBLE PRECISION, wanted DOUBLE PRECISION
  ) RETURNS DOUBLE PRECISION LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(0, (1 - requests) / request_speed * 1000, (least(wanted, token_room) - tokens) / token_speed * 1000)
  $$;

  -- A request is granted by the bucket of all runs and by that of its own run together, or by neither. One of a run that was never
  -- queued draws from the first only what the operator limits.
  CREATE FUNCTION fabula.share_rate(
    its_provider TEXT, its_run TEXT, its_tokens DOUBLE PRECISION[], OUT granted INTEGER, OUT wait_milliseconds DOUBLE PRECISION
  ) LANGUAGE plpgsql AS $$
  DECLARE
    common RECORD;
    own RECORD;
    wanted DOUBLE PRECISION;
    asked DOUBLE PRECISION := 0;
  BEGIN
    granted := 0;
    wait_milliseconds := 0;
    SELECT * INTO common FROM fabula.fill_bucket(its_provider, '');
    SELECT * INTO own FROM fabula.fill_bucket(its_provider, its_run);
    IF NOT EXISTS (SELECT 1 FROM fabula.shared_runs r WHERE r.run_id = its_run) THEN
      IF NOT EXISTS (SELECT 1 FROM fabula.provider_limits o WHERE o.provider = its_provider AND o.requests_per_minute IS NOT NULL) THEN
        common.requests := NULL;
      END IF;
      IF NOT EXISTS (SELECT 1 FROM fabula.provider_limits o WHERE o.provider = its_provider AND o.tokens_per_minute IS NOT NULL) THEN
        common.tokens := NULL;
      END IF;
    END IF;
    FOREACH wanted IN ARRAY its_tokens LOOP
      wait_milliseconds := greatest(
        fabula.bucket_wait(common.requests - granted, common.tokens - asked, common.token_room, common.request_speed, common.token_speed, wanted),
        fabula.bucket_wait(own.requests - granted, own.tokens - asked, own.token_room, own.request_speed, own.token_speed, wanted));
      EXIT WHEN wait_milliseconds > 0;
      asked := asked + wanted;
      granted := granted + 1;
    END LOOP;
    UPDATE fabula.rates b SET
        requests = b.requests - CASE WHEN b.run_id = '' AND common.requests IS NULL THEN 0 ELSE granted END,
        tokens = b.tokens - CASE WHEN b.run_id = '' AND common.tokens IS NULL THEN 0 ELSE asked END
      WHERE b.provider = its_provider AND b.run_id IN ('', its_run) AND granted > 0;
  END
  $$;

  -- What a dead worker had set aside may have been billed, and is not among the calls of the run: it counts as spent beside them. What the run paid for while it had no cap is not among what
  -- workers report, but among its calls.
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
    UPDATE fabula.spending s SET lost = s.lost + s.reserved, reserved = 0
      WHERE s.run_id = its_run AND s.reserved > 0 AND s.worker <> its_worker
        AND s.worker NOT IN (SELECT fabula.living_workers());
    INSERT INTO fabula.spending AS s (run_id, worker, reserved, spent) VALUES (its_run, its_worker, its_reserved, its_spent)
      ON CONFLICT (run_id, worker) DO UPDATE SET reserved = its_reserved, spent = its_spent, lost = 0;
    SELECT coalesce(sum(s.reserved) FILTER (WHERE s.worker <> its_worker), 0),
        greatest(spent_earlier + sum(s.spent), (SELECT sum(t.cost) FROM fabula.run_totals t WHERE t.run_id = its_run)::double precision)
          + sum(s.lost)
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

  CREATE FUNCTION fabula.end_run_if_over(its_run TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
  DECLARE
    progress RECORD;
    moment TIMESTAMPTZ := fabula.now();
  BEGIN
    -- Whoever ends the last piece and whoever queues the last one wait for each other here, so one of them sees both.
    SELECT * INTO progress FROM fabula.run_progress g WHERE g.run_id = its_run FOR UPDATE;
    IF progress.queued + progress.working > 0 THEN
      RETURN;
    END IF;
    UPDATE fabula.shared_runs r SET state = 'ended', ended_at = moment
      WHERE r.run_id = its_run AND r.is_whole AND r.state IN ('open', 'paused');
    IF FOUND THEN
      UPDATE fabula.runs r SET finished_at = to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        status = CASE WHEN progress.failed > 0 THEN 'failed' WHEN progress.with_gaps + progress.dead > 0 THEN 'stopped' ELSE 'done' END,
        note = 'the work has ended, and its result was not fetched yet'
        WHERE r.id = its_run;
    END IF;
  END
  $$;

  CREATE FUNCTION fabula.count_added() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE fabula.run_progress g SET total = g.total + a.pieces, queued = g.queued + a.pieces
      FROM (SELECT run_id, count(*) AS pieces FROM added GROUP BY run_id) a WHERE g.run_id = a.run_id;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER count_added AFTER INSERT ON fabula.pieces
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_added();

  CREATE FUNCTION fabula.count_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE fabula.run_progress g SET total = g.total - r.pieces, queued = g.queued - r.queued, working = g.working - r.working,
      done = g.done - r.done, failed = g.failed - r.failed, dead = g.dead - r.dead, with_gaps = g.with_gaps - r.with_gaps
      FROM (SELECT run_id, count(*) AS pieces, count(*) FILTER (WHERE state = 'queued') AS queued,
          count(*) FILTER (WHERE state = 'working') AS working, count(*) FILTER (WHERE state = 'done') AS done,
          count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'dead') AS dead,
          count(*) FILTER (WHERE state = 'done' AND failed_calls > 0) AS with_gaps
        FROM removed GROUP BY run_id) r
      WHERE g.run_id = r.run_id;
    UPDATE fabula.run_workers w SET working = w.working - r.pieces
      FROM (SELECT run_id, worker, count(*) AS pieces FROM removed WHERE state = 'working' GROUP BY run_id, worker) r
      WHERE w.run_id = r.run_id AND w.worker = r.worker;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER count_removed AFTER DELETE ON fabula.pieces
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_removed();

  -- A piece that goes from a worker with its attempt counted was taken from one that is gone: a crash.
  CREATE FUNCTION fabula.count_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  DECLARE
    unfinished INTEGER;
  BEGIN
    UPDATE fabula.run_progress g SET
      queued = g.queued + (NEW.state = 'queued')::int - (OLD.state = 'queued')::int,
      working = g.working + (NEW.state = 'working')::int - (OLD.state = 'working')::int,
      done = g.done + (NEW.state = 'done')::int - (OLD.state = 'done')::int,
      failed = g.failed + (NEW.state = 'failed')::int - (OLD.state = 'failed')::int,
      dead = g.dead + (NEW.state = 'dead')::int - (OLD.state = 'dead')::int,
      with_gaps = g.with_gaps + (NEW.state = 'done' AND NEW.failed_calls > 0)::int - (OLD.state = 'done' AND OLD.failed_calls > 0)::int,
      crashes = g.crashes + (OLD.state = 'working' AND NEW.state IN ('queued', 'dead') AND NEW.attempts = OLD.attempts)::int,
      retries = g.retries + (OLD.state = 'queued' AND NEW.state = 'working' AND NEW.attempts > 1)::int,
      finished = g.finished + (OLD.state = 'working' AND NEW.state = 'done')::int,
      served = CASE WHEN NEW.state = 'working' THEN nextval('fabula.pieces_begun') ELSE g.served END
      WHERE g.run_id = NEW.run_id RETURNING g.queued + g.working INTO unfinished;
    IF OLD.state = 'working' THEN
      UPDATE fabula.run_workers w SET working = w.working - 1, done = w.done + (NEW.state IN ('done', 'failed'))::int
        WHERE w.run_id = OLD.run_id AND w.worker = OLD.worker;
    END IF;
    IF NEW.state = 'working' THEN
      INSERT INTO fabula.run_workers AS w (run_id, worker, working, done) VALUES (NEW.run_id, NEW.worker, 1, 0)
        ON CONFLICT (run_id, worker) DO UPDATE SET working = w.working + 1;
    END IF;
    IF unfinished = 0 THEN
      PERFORM fabula.end_run_if_over(NEW.run_id);
    END IF;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER count_changed AFTER UPDATE ON fabula.pieces
    FOR EACH ROW WHEN (OLD.state <> NEW.state OR OLD.worker IS DISTINCT FROM NEW.worker) EXECUTE FUNCTION fabula.count_changed();

  -- The next piece for a worker. Owners take turns: next is the owner with the fewest pieces under way for their share; among that
  -- owner's runs, the one of the highest priority, then the one with the fewest under way. Rows that another worker is claiming right
  -- now are skipped, not waited for. A piece that is this worker's here but not among those it says it holds was claimed by a
  -- statement whose answer got lost, and is given again.
  --
  -- A piece that was begun before goes only to a worker that holds nothing else, first of its run when that has its turn. If no such
  -- worker has taken it after two seconds, the next one whose turn it is promises to: it takes nothing more, and does that piece when it
  -- holds nothing. Until then the promise counts as a piece under way. After thirty seconds all of them hold back in that turn.
  --
  -- The run that this transaction has just ended a piece of, if any, is \`ended_run\`: its counters are held already. Those of another run
  -- are then taken only if nobody else has them: two workers that waited for each other's would both be refused after a second. Nothing
  -- is given then, and the worker asks again without an ended run.
  CREATE FUNCTION fabula.claim_piece(its_worker TEXT, its_version TEXT, its_judges TEXT, its_held TEXT[], ended_run TEXT)
  RETURNS TABLE (run_id TEXT, "position" INTEGER, input TEXT, label TEXT, attempts INTEGER, job TEXT, maximum_cost DOUBLE PRECISION, body TEXT)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    candidate RECORD;
    chosen RECORD;
    promised RECORD;
    lost RECORD;
    is_alone BOOLEAN := cardinality(its_held) = 0;
  BEGIN
    -- What one that was given up took would be taken from it again, and would have cost the piece a try.
    IF EXISTS (SELECT 1 FROM fabula.workers w WHERE w.id = its_worker AND w.state = 'gone') THEN
      RETURN;
    END IF;
    SELECT p.run_id, p.position, p.attempts INTO chosen
      FROM fabula.pieces p JOIN fabula.shared_runs r ON r.run_id = p.run_id AND r.state = 'open'
      WHERE p.worker = its_worker AND p.state = 'working' AND NOT p.run_id || '/' || p.position = ANY(its_held)
        AND EXISTS (SELECT 1 FROM fabula.inputs i WHERE i.hash = p.input)
      ORDER BY p.attempts LIMIT 1 FOR UPDATE OF p SKIP LOCKED;
    -- It was claimed alone, its run was paused before the answer was repeated, and the worker has taken something else since.
    IF chosen.attempts > 1 AND NOT is_alone THEN
      RETURN;
    END IF;
    IF NOT FOUND THEN
      SELECT p.run_id, p.position INTO promised
        FROM fabula.pieces p JOIN fabula.shared_runs r ON r.run_id = p.run_id AND r.state = 'open'
        WHERE p.promised_to = its_worker AND p.state = 'queued' AND r.version = its_version AND fabula.may_ask(its_judges, r.models)
          AND NOT fabula.has_refused(its_worker, r.run_id) AND EXISTS (SELECT 1 FROM fabula.inputs i WHERE i.hash = p.input)
        ORDER BY p.queued_at LIMIT 1 FOR UPDATE OF p SKIP LOCKED;
      IF FOUND AND NOT is_alone THEN
        RETURN;
      END IF;
      FOR candidate IN
        SELECT mine.run_id FROM (
          SELECT r.run_id, r.version, r.models, r.priority, r.queued_at, g.queued, g.working, g.served,
            sum(g.working + coalesce(o.pieces, 0)) OVER owners / coalesce(s.share, 1) AS load, max(g.served) OVER owners AS owner_served
          FROM fabula.shared_runs r JOIN fabula.run_progress g ON g.run_id = r.run_id
            LEFT JOIN fabula.owner_shares s ON s.owner = r.owner
            LEFT JOIN (SELECT p.run_id, count(*) AS pieces FROM fabula.pieces p JOIN fabula.workers w ON w.id = p.promised_to AND w.state = 'working'
              WHERE p.state = 'queued' AND p.promised_to IS NOT NULL GROUP BY p.run_id) o ON o.run_id = r.run_id
          WHERE r.state = 'open' WINDOW owners AS (PARTITION BY r.owner)) mine
        WHERE mine.queued > 0 AND mine.version = its_version AND fabula.may_ask(its_judges, mine.models)
          AND NOT fabula.has_refused(its_worker, mine.run_id)
        ORDER BY mine.run_id IS NOT DISTINCT FROM promised.run_id DESC, mine.load, mine.owner_served NULLS FIRST, mine.priority DESC,
          mine.working, mine.served NULLS FIRST, mine.queued_at, mine.run_id
      LOOP
        IF candidate.run_id <> ended_run THEN
          PERFORM 1 FROM fabula.run_progress g WHERE g.run_id = candidate.run_id FOR UPDATE SKIP LOCKED;
          IF NOT FOUND THEN
            RETURN;
          END IF;
        END IF;
        IF candidate.run_id = promised.run_id THEN
          chosen := promised;
          EXIT;
        END IF;
        SELECT p.run_id, p.position, p.queued_at < fabula.now() - interval '30 seconds' AS is_late INTO lost FROM fabula.pieces p
          WHERE p.run_id = candidate.run_id AND p.state = 'queued' AND p.attempts > 0
            AND EXISTS (SELECT 1 FROM fabula.inputs i WHERE i.hash = p.input)
            AND (is_alone OR p.queued_at < fabula.now() - interval '30 seconds' OR p.queued_at < fabula.now() - interval '2 seconds'
              AND (p.promised_to IS NULL OR p.promised_to NOT IN (SELECT w.id FROM fabula.workers w WHERE w.state = 'working')))
          ORDER BY p.promised_to IS NOT NULL, p.queued_at, p.position LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF FOUND AND NOT is_alone THEN
          UPDATE fabula.pieces p SET promised_to = its_worker
            WHERE p.run_id = lost.run_id AND p.position = lost.position AND NOT lost.is_late;
          RETURN;
        END IF;
        IF FOUND THEN
          chosen := lost;
          EXIT;
        END IF;
        SELECT p.run_id, p.position INTO chosen FROM fabula.pieces p
          WHERE p.run_id = candidate.run_id AND p.state = 'queued' AND p.attempts = 0
            AND EXISTS (SELECT 1 FROM fabula.inputs i WHERE i.hash = p.input)
          ORDER BY p.position LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN FOUND;
      END LOOP;
      IF chosen.run_id IS NULL THEN
        RETURN;
      END IF;
      UPDATE fabula.pieces p SET state = 'working', worker = its_worker, attempts = p.attempts + 1, started_at = fabula.now(), promised_to = NULL
        WHERE p.run_id = chosen.run_id AND p.position = chosen.position;
    END IF;
    RETURN QUERY SELECT p.run_id, p.position, p.input, p.label, p.attempts, r.job, r.maximum_cost, i.body
      FROM fabula.pieces p JOIN fabula.shared_runs r ON r.run_id = p.run_id JOIN fabula.inputs i ON i.hash = p.input
      WHERE p.run_id = chosen.run_id AND p.position = chosen.position;
  END
  $$;

  -- Ending a piece and claiming the next in one journey and one write to the disk: for a worker with short pieces these are what the queue costs.
  CREATE FUNCTION fabula.end_and_claim(
    ended_run TEXT, ended_position INTEGER, ended_input TEXT, its_state TEXT, its_reason TEXT, its_result TEXT, its_failed_calls INTEGER,
    its_worker TEXT, its_version TEXT, its_judges TEXT, its_held TEXT[]
  ) RETURNS TABLE (run_id TEXT, "position" INTEGER, input TEXT, label TEXT, attempts INTEGER, job TEXT, maximum_cost DOUBLE PRECISION, body TEXT)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    UPDATE fabula.pieces SET state = its_state, reason = its_reason, result = its_result, failed_calls = its_failed_calls, finished_at = fabula.now()
      WHERE run_id = ended_run AND position = ended_position AND worker = its_worker AND state = 'working' AND input = ended_input;
    RETURN QUERY SELECT * FROM fabula.claim_piece(its_worker, its_version, its_judges, its_held, ended_run);
  END
  $$;

  -- Marks workers that fell silent as gone. A piece that one of them had is tried again, alone; one that was begun three times is
  -- set aside. Pieces of a worker that left in order go back as if they had not been begun. The rows' own columns say who fell silent:
  -- a worker that is heard while this waits for its row is looked at again and stays.
  CREATE FUNCTION fabula.recover_pieces(most_attempts INTEGER) RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
  DECLARE
    silent TEXT[];
  BEGIN
    WITH marked AS (
      UPDATE fabula.workers w SET state = 'gone' WHERE w.state <> 'gone'
        AND greatest(w.expires_at, pg_postmaster_start_time() + (w.expires_at - w.seen_at)) <= fabula.now() RETURNING w.id
    ) SELECT coalesce(array_agg(id), '{}') INTO silent FROM marked;
    UPDATE fabula.pieces p SET queued_at = fabula.now(), promised_to = NULL,
        state = CASE WHEN p.attempts >= most_attempts THEN 'dead' ELSE 'queued' END,
        worker = CASE WHEN p.attempts >= most_attempts THEN p.worker END,
        finished_at = CASE WHEN p.attempts >= most_attempts THEN fabula.now() END,
        reason = 'its worker ended each of the ' || p.attempts || ' times it was tried, the last time ' || p.worker
      FROM fabula.workers w WHERE p.state = 'working' AND w.id = p.worker AND w.state = 'gone';
    DELETE FROM fabula.claims WHERE worker = ANY(silent);
    RETURN QUERY SELECT unnest(silent);
  END
  $$;

  CREATE FUNCTION fabula.is_able(w fabula.workers, r fabula.shared_runs) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT w.version = r.version AND fabula.may_ask(w.judges, r.models) AND NOT fabula.has_refused(w.id, r.run_id)
  $$;

  -- What waits and what is under way, for whoever starts and stops workers: it can be read while there is none. A run is stuck when
  -- a worker that was started for it, more than a minute ago, cannot do it, and none was there since that can: more of them would
  -- wait for ever. Ten minutes after the last of them was started it is worth another try: what starts workers may have been put right,
  -- and one that is busy with other runs says nothing about the next.
  CREATE VIEW fabula.queue AS
    SELECT r.run_id, r.owner, r.version, r.models, g.queued, g.working, g.dead, g.crashes, g.retries,
      g.working = 0 AND EXISTS (SELECT 1 FROM fabula.workers w
        WHERE w.version <> '' AND w.started_at > r.queued_at AND w.started_at < fabula.now() - interval '1 minute'
          AND w.started_at > fabula.now() - interval '10 minutes' AND NOT fabula.is_able(w, r)
          AND NOT EXISTS (SELECT 1 FROM fabula.workers a
            WHERE a.seen_at > greatest(w.started_at, w.seen_at - interval '1 minute') AND fabula.is_able(a, r))) AS is_stuck,
      coalesce((SELECT extract(epoch FROM fabula.now() - p.queued_at)::double precision FROM fabula.pieces p
        WHERE p.run_id = r.run_id AND p.state = 'queued' ORDER BY p.position LIMIT 1), 0) AS oldest_seconds
    FROM fabula.shared_runs r JOIN fabula.run_progress g USING (run_id) WHERE r.state = 'open';

  -- Ends what nobody will go on with, and forgets what nobody looks at any more.
  CREATE FUNCTION fabula.tidy() RETURNS VOID LANGUAGE sql AS $$
    -- Whoever was queueing is gone, and what was queued is done.
    WITH abandoned AS (
      UPDATE fabula.shared_runs s SET state = 'ended', ended_at = fabula.now() FROM fabula.run_progress g, fabula.runs r
      WHERE NOT s.is_whole AND s.state IN ('open', 'paused') AND g.run_id = s.run_id AND g.queued + g.working = 0
        AND r.id = s.run_id AND r.seen_at::timestamptz < fabula.now() - interval '1 hour'
      RETURNING s.run_id, s.ended_at
    ) UPDATE fabula.runs r SET status = 'stopped', note = 'it was not queued to its end: resume it to queue the rest',
        finished_at = to_char(a.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      FROM abandoned a WHERE r.id = a.run_id;
    DELETE FROM fabula.run_workers n USING fabula.shared_runs r
      WHERE r.run_id = n.run_id AND r.state = 'closed' AND coalesce(r.ended_at, r.queued_at) < fabula.now() - interval '30 days';
    DELETE FROM fabula.workers w WHERE w.state = 'gone' AND w.seen_at < fabula.now() - interval '30 days'
      AND NOT EXISTS (SELECT 1 FROM fabula.run_workers n WHERE n.worker = w.id);
    DELETE FROM fabula.refusals f WHERE NOT EXISTS (SELECT 1 FROM fabula.workers w WHERE w.id = f.worker);
    DELETE FROM fabula.rates WHERE filled_at < fabula.now() - interval '1 day';
  $$;

  CREATE FUNCTION fabula.leave_work(its_worker TEXT) RETURNS VOID LANGUAGE sql AS $$
    UPDATE fabula.pieces SET state = 'queued', worker = NULL, attempts = attempts - 1 WHERE worker = its_worker AND state = 'working';
    DELETE FROM fabula.permits WHERE worker = its_worker;
    DELETE FROM fabula.claims WHERE worker = its_worker;
    UPDATE fabula.workers SET state = 'gone', seen_at = fabula.now() WHERE id = its_worker;
  $$;
`;

/**
 * New work and the state of runs are announced, so that nobody has to look for them several times a second. Announcing takes a lock
 * of the whole server for a moment, so it is done for each group of pieces that is queued and not for each piece that ends.
 */
export const QUEUE_NOTICES = `
  CREATE FUNCTION fabula.tell_queued() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('fabula_queue', '');
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER tell_queued AFTER INSERT ON fabula.pieces FOR EACH STATEMENT EXECUTE FUNCTION fabula.tell_queued();
  CREATE TRIGGER tell_queued_again AFTER UPDATE ON fabula.pieces
    FOR EACH ROW WHEN (NEW.state = 'queued' AND OLD.state <> 'queued') EXECUTE FUNCTION fabula.tell_queued();

  CREATE FUNCTION fabula.tell_state() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('fabula_queue', CASE WHEN NEW.state = 'open' THEN '' ELSE NEW.run_id END);
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER tell_state AFTER UPDATE ON fabula.shared_runs
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION fabula.tell_state();
`;

/**
 * Calls, tokens and cost of a run, counted as its uses are written: reading them costs the same at a thousand calls and at a hundred
 * million. Exact decimal numbers, so that adding and taking away leaves nothing behind.
 *
 * Each connection counts in one of sixteen parts. Whoever counts holds the row until the disk has it, and in a single row all workers
 * of a run would wait for one another with every answer, each with the permits of its calls in its hands.
 */
export const RUN_TOTALS = `
  CREATE TABLE fabula.run_total_parts (
    run_id TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    part INTEGER NOT NULL,
    calls BIGINT NOT NULL,
    unpriced BIGINT NOT NULL,
    cost NUMERIC NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    PRIMARY KEY (run_id, outcome, model, purpose, part)
  ) WITH (fillfactor = 20);
  INSERT INTO fabula.run_total_parts
    SELECT run_id, outcome, model, purpose, 0, count(*), count(*) - count(cost), coalesce(sum(cost::numeric), 0), sum(input_tokens), sum(output_tokens)
    FROM fabula.uses GROUP BY run_id, outcome, model, purpose;

  CREATE VIEW fabula.run_totals AS
    SELECT run_id, outcome, model, purpose, sum(calls)::bigint AS calls, sum(unpriced)::bigint AS unpriced, sum(cost) AS cost,
      sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens
    FROM fabula.run_total_parts GROUP BY run_id, outcome, model, purpose;

  -- What is taken away may have been counted in another part, so one part alone can be below zero.
  CREATE FUNCTION fabula.count_uses() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  DECLARE
    sign INTEGER := TG_ARGV[0];
  BEGIN
    INSERT INTO fabula.run_total_parts AS t
      SELECT run_id, outcome, model, purpose, pg_backend_pid() % 16, sign * count(*), sign * (count(*) - count(cost)),
        sign * coalesce(sum(cost::numeric), 0), sign * sum(input_tokens), sign * sum(output_tokens)
      FROM counted GROUP BY run_id, outcome, model, purpose ORDER BY run_id, outcome, model, purpose
    ON CONFLICT (run_id, outcome, model, purpose, part) DO UPDATE SET calls = t.calls + excluded.calls, unpriced = t.unpriced + excluded.unpriced,
      cost = t.cost + excluded.cost, input_tokens = t.input_tokens + excluded.input_tokens, output_tokens = t.output_tokens + excluded.output_tokens;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER count_added_uses AFTER INSERT ON fabula.uses
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_uses('1');
  CREATE TRIGGER count_changed_uses_before AFTER UPDATE ON fabula.uses
    REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_uses('-1');
  CREATE TRIGGER count_changed_uses_now AFTER UPDATE ON fabula.uses
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_uses('1');
  CREATE TRIGGER count_removed_uses AFTER DELETE ON fabula.uses
    REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION fabula.count_uses('-1');
`;
