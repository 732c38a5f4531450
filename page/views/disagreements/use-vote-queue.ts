import { useCallback, useEffect, useState } from "react";
import type { BlindPair, Vote, VoteAnswer, VoteChoice, VoteQueue, VoterAgreement } from "../../../src/api/votes.ts";
import { address, get, send } from "../../api/request.ts";
import { type Action, useAction } from "../../parts/use-action.ts";

export interface VoteSettings {
  readonly voter: string;
  readonly seed: number;
  readonly book: string;
  readonly aspect: string;
}

export interface VoteDeskState {
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
export function useVoteQueue(settings: VoteSettings, onAgreement: (agreement: VoterAgreement) => void): VoteDeskState {
  const { voter, seed, book, aspect } = settings;
  const [queue, setQueue] = useState<readonly BlindPair[]>([]);
  const [left, setLeft] = useState<number | null>(null);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<Vote | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useEffect(() => {
    const abort = new AbortController();
    const limit = Math.min(50, AHEAD + skipped.size);
    get<VoteQueue>(address("/api/votes/queue", { voter, seed, book, aspect, limit }), abort.signal).then(
      (answer) => {
        const fresh = answer.pairs.filter(({ id }) => !skipped.has(id));
        // When everything else was passed over, what was passed over comes again.
        setQueue(fresh.length > 0 ? fresh : answer.pairs);
        setLeft(answer.left);
      },
      () => setLeft((known) => known ?? 0),
    );
    return () => abort.abort();
  }, [voter, seed, book, aspect, round]);

  const pair = queue[0] ?? null;
  const advance = useCallback(() => {
    setQueue(([, ...rest]) => rest);
    if (queue.length <= FEW) setRound((count) => count + 1);
  }, [queue.length]);
  const vote = useAction(
    useCallback(
      async (choice: VoteChoice, score: number | null) => {
        if (!pair) return;
        const answer = await send<VoteAnswer>("POST", "/api/votes", { voter, seed, pair: pair.id, choice, score });
        setLast(answer.vote);
        setLeft((count) => (count === null ? null : count - 1));
        onAgreement(answer.agreement);
        advance();
      },
      [pair, voter, seed, advance, onAgreement],
    ),
  );
  const takeBack = useAction(
    useCallback(async () => {
      if (!last) return;
      onAgreement(await send<VoterAgreement>("DELETE", `/api/votes/${last.id}`));
      setLast(null);
      setRound((count) => count + 1);
    }, [last, onAgreement]),
  );
  const skip = useCallback(() => {
    if (pair) setSkipped((known) => new Set(known).add(pair.id));
    advance();
  }, [pair, advance]);
  return { pair, left, last, vote, takeBack, skip };
}
