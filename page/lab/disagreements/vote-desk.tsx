import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type {
  BlindPair,
  BlindRemark,
  BlindSide,
  DisagreementRow,
  Vote,
  VoteChoice,
  VoterAgreement,
} from "../../../src/api/votes.ts";
import { api, ask, askUntil } from "../../api/client.ts";
import { Field } from "../../parts/field.tsx";
import { type Action, useAction } from "../../parts/use-action.ts";
import { ScaleBar } from "../../parts/verdict.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

interface VoteSettings {
  readonly voter: string;
  readonly seed: number;
  readonly book: string;
  readonly aspect: string;
}

interface VoteDeskState {
  /** Null while it is being fetched, and when nothing is left: see `left`. */
  readonly pair: BlindPair | null;
  /** Null until it is known. */
  readonly left: number | null;
  readonly last: Vote | null;
  readonly vote: Action<[VoteChoice, number | null]>;
  readonly takeBack: Action<[]>;
  readonly skip: () => void;
}

const AHEAD = 10;
const FEW = 3;

/** The pairs to vote on, some of them ahead, so that the next one is there at once. */
function useVoteQueue(settings: VoteSettings, onAgreement: (agreement: VoterAgreement) => void): VoteDeskState {
  const { voter, seed, book, aspect } = settings;
  const [queue, setQueue] = useState<readonly BlindPair[]>([]);
  const [left, setLeft] = useState<number | null>(null);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<Vote | null>(null);
  const [round, setRound] = useState(0);
  const asking = useRef<AbortController | null>(null);
  // Asked for before the next key counts, so that a vote knows of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useLayoutEffect(() => {
    const abort = new AbortController();
    asking.current = abort;
    const limit = Math.min(50, AHEAD + skipped.size);
    askUntil(abort.signal, api.votes.queue.$get, { query: { voter, seed, book, aspect, limit } }).then(
      (answer) => {
        if (abort.signal.aborted) return;
        asking.current = null;
        const fresh = answer.pairs.filter(({ id }) => !skipped.has(id));
        // When everything else was passed over, what was passed over comes again.
        setQueue(fresh.length > 0 ? fresh : answer.pairs);
        setLeft(answer.left);
      },
      () => {
        if (!abort.signal.aborted) setLeft((known) => known ?? 0);
      },
    );
    return () => abort.abort();
  }, [voter, seed, book, aspect, round]);

  const pair = queue[0] ?? null;
  const askAgain = useCallback(() => setRound((count) => count + 1), []);
  /** An answer that is on its way may not know of what is done now: it would bring back the pair that leaves. */
  const stopAsking = useCallback(() => {
    asking.current?.abort();
    return asking.current !== null;
  }, []);
  const advance = useCallback(() => {
    setQueue(([, ...rest]) => rest);
    if (queue.length <= FEW) askAgain();
  }, [queue.length, askAgain]);
  const vote = useAction(async (choice: VoteChoice, score: number | null) => {
    if (!pair) return;
    const wasAsking = stopAsking();
    try {
      const answer = await ask(api.votes.$post, { json: { voter, seed, pair: pair.id, choice, score } });
      setLast(answer.vote);
      setLeft((count) => (count === null ? null : count - 1));
      onAgreement(answer.agreement);
      advance();
    } finally {
      if (wasAsking) askAgain();
    }
  });
  const takeBack = useAction(async () => {
    if (!last) return;
    onAgreement(await ask(api.votes[":id"].$delete, { param: { id: last.id } }));
    setLast(null);
    askAgain();
  });
  const skip = useCallback(() => {
    if (pair) setSkipped((known) => new Set(known).add(pair.id));
    if (stopAsking()) askAgain();
    advance();
  }, [pair, stopAsking, askAgain, advance]);
  return { pair, left, last, vote, takeBack, skip };
}

const HUNDRED = { minimum: 0, maximum: 100 };

/** What one judge said, without its name. */
function BlindVerdict({ name, side }: { readonly name: string; readonly side: BlindSide }) {
  const texts = useTexts();
  const { score, interval, strengths, weaknesses } = side;
  const verdict = { kind: "scored" as const, score, ...(interval && { interval: [...interval] as [number, number] }) };
  return (
    <section className="blind-verdict" aria-label={name}>
      <h4>{name}</h4>
      <p className="blind-score">
        <strong>{score.toFixed(1)}</strong>{" "}
        {interval ? (
          <span className="muted number">{texts.likely(interval[0].toFixed(1), interval[1].toFixed(1))}</span>
        ) : null}
      </p>
      <ScaleBar verdict={verdict} scale={HUNDRED} />
      {strengths.length + weaknesses.length === 0 ? <p className="muted">{texts.noRemarks}</p> : null}
      <Remarks heading={texts.strengthsSaid} remarks={strengths} />
      <Remarks heading={texts.weaknessesSaid} remarks={weaknesses} />
    </section>
  );
}

function Remarks({ heading, remarks }: { readonly heading: string; readonly remarks: readonly BlindRemark[] }) {
  const texts = useTexts();
  if (remarks.length === 0) return null;
  return (
    <>
      <h5>{heading}</h5>
      <ul>
        {remarks.map(({ text, quotes }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two remarks may be alike, and the list never changes.
          <li key={position}>
            {text}
            {quotes.map(({ quote, found }) => (
              <q key={quote} className="prose">
                {quote}
                {found ? null : <span className="doubt"> ({texts.notInBook})</span>}
              </q>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

interface VoteDeskProps extends VoteSettings {
  /** The one aspect that is voted on; null for all. */
  readonly only: DisagreementRow | null;
  readonly allLink: string;
  readonly onAgreement: (agreement: VoterAgreement) => void;
}

/** One pair of verdicts at a time, voted on with single keys. */
export function VoteDesk({ only, allLink, onAgreement, ...settings }: VoteDeskProps) {
  const texts = useTexts();
  const names = useNames();
  const { pair, left, last, vote, takeBack, skip } = useVoteQueue(settings, onAgreement);
  const [score, setScore] = useState("");
  const scoreField = useRef<HTMLInputElement>(null);
  const { run } = vote;
  const isBusy = vote.isBusy || takeBack.isBusy;
  const give = (choice: "A" | "B" | "tie") => {
    if (!isBusy && pair) void run(choice, null);
  };
  const passOver = () => {
    if (!isBusy) skip();
  };
  const undo = () => {
    if (!isBusy) void takeBack.run();
  };
  const giveScore = () => {
    const value = Number(score);
    if (isBusy || !pair || score.trim() === "" || !(value >= 0 && value <= 100)) return;
    scoreField.current?.blur();
    void run("score", value);
  };
  // What was typed stays until the vote is kept.
  useEffect(() => {
    if (last) setScore("");
  }, [last]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (/^[0-9]$/.test(key)) scoreField.current?.focus();
      else if (key === "a" || key === "b") give(key === "a" ? "A" : "B");
      else if (key === "t") give("tie");
      else if (key === "n") passOver();
      else if (key === "backspace") undo();
      else return;
      // A digit goes into the field that now has the focus.
      if (!/^[0-9]$/.test(key)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return (
    <section className="vote-desk" aria-label={texts.voteHeading}>
      <h2>{texts.voteHeading}</h2>
      {only ? (
        <p>
          {texts.onlyThis(only.title, aspectName(only, names, texts.overall))} <a href={allLink}>{texts.voteOnAll}</a>
        </p>
      ) : null}
      <ProblemNotice problem={vote.problem} />
      {pair ? (
        <article className="panel pair">
          <p className="kicker">
            <a href={to(["books", pair.bookId])}>{pair.title}</a> · {texts.voteDifference(pair.difference.toFixed(1))}
          </p>
          <h3>
            {pair.passage ? texts.votePassageQuestion : texts.voteQuestion(aspectName(pair, names, texts.overall))}
          </h3>
          {pair.passage ? (
            <blockquote className="prose">
              <a
                href={to(["books", pair.bookId, "read"], {
                  chapter: pair.passage.chapter,
                  start: pair.passage.start,
                  end: pair.passage.end,
                })}
              >{`“${pair.passage.quote}”`}</a>
            </blockquote>
          ) : null}
          <div className="sides-of-pair">
            <BlindVerdict name={texts.verdictA} side={pair.sides[0]} />
            <BlindVerdict name={texts.verdictB} side={pair.sides[1]} />
          </div>
          <div className="actions">
            <button type="button" className="primary" disabled={isBusy} onClick={() => give("A")}>
              {texts.voteA}
            </button>
            <button type="button" className="primary" disabled={isBusy} onClick={() => give("B")}>
              {texts.voteB}
            </button>
            <button type="button" disabled={isBusy} onClick={() => give("tie")}>
              {texts.voteTie}
            </button>
            <button type="button" className="quiet" disabled={isBusy} onClick={passOver}>
              {texts.voteNext}
            </button>
          </div>
          <form
            className="own-score"
            onSubmit={(event) => {
              event.preventDefault();
              giveScore();
            }}
          >
            <Field label={texts.ownScore}>
              {(attributes) => (
                <input
                  {...attributes}
                  ref={scoreField}
                  inputMode="numeric"
                  value={score}
                  onChange={(event) => setScore(event.target.value.replace(/[^0-9.]/g, ""))}
                  onKeyDown={(event) => {
                    if (event.key === "Escape") event.currentTarget.blur();
                  }}
                />
              )}
            </Field>
            <button type="submit" disabled={isBusy}>
              {texts.giveScore}
            </button>
          </form>
        </article>
      ) : (
        <p className="panel pair">{left === 0 ? texts.allVoted : texts.loading}</p>
      )}
      <p className="hint">
        {texts.voteKeys}
        {left === null ? "" : ` ${texts.votePair(left)}.`}
      </p>
      <div className="last-vote" role="status">
        {last ? <LastVote vote={last} onTakeBack={undo} /> : null}
      </div>
      <ProblemNotice problem={takeBack.problem} />
    </section>
  );
}

/** Only now the names: who said what, and whom the voter sided with. */
function LastVote({ vote, onTakeBack }: { readonly vote: Vote; readonly onTakeBack: () => void }) {
  const texts = useTexts();
  const [first, second] = vote.sides;
  const winner = winnerOf(vote);
  const inWords =
    winner === null
      ? texts.sidedWithNone(first.name, second.name)
      : texts.sidedWithOne(winner.name, (winner === first ? second : first).name);
  return (
    <>
      <strong>{texts.lastVote}:</strong> {inWords}{" "}
      {vote.sides.map((side, place) => (
        <a key={side.way} href={to(["evaluations", side.evaluationId], { tab: "verdicts" })}>
          {place === 0 ? "A" : "B"} {side.score.toFixed(1)}{" "}
        </a>
      ))}
      <button type="button" className="quiet" onClick={onTakeBack}>
        {texts.voteUndo}
      </button>
    </>
  );
}

function winnerOf({ choice, score, sides: [first, second] }: Vote) {
  if (choice === "A") return first;
  if (choice === "B") return second;
  if (choice === "tie" || score === null) return null;
  const [fromFirst, fromSecond] = [Math.abs(first.score - score), Math.abs(second.score - score)];
  if (fromFirst === fromSecond) return null;
  return fromFirst < fromSecond ? first : second;
}

function aspectName(
  { aspect, aspectName: name }: { readonly aspect: string; readonly aspectName: string },
  names: ReturnType<typeof useNames>,
  overall: string,
): string {
  return aspect === "overall" ? overall : names.aspect(aspect, name);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
