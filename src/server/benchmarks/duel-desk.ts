import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuelToVote, DuelVoted, DuelVoteRequest, HeadToHead } from "../../api/benchmarks.ts";
import { sha256 } from "../../core/hash.ts";
import {
  DUEL_VOTES_FILE,
  type DuelMaterial,
  type DuelVote,
  duelMaterial,
  headToHeadIn,
  keyOf,
  knownAnswers,
} from "../../tasks/bench/run-duels.ts";
import { notFound } from "../ids.ts";

interface Pair {
  readonly id: string;
  readonly novel: string;
  readonly chapter: number;
  readonly left: string;
  readonly right: string;
}

/** Pairs that no judge has compared are offered too, up to this many pairs in all. */
const MOST_PAIRS = 300;

/** Blind votes between two texts of a benchmark's folder, one line each. */
export class DuelDesk {
  readonly #folder: string;
  #material: Promise<DuelMaterial | null> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async canVote(): Promise<boolean> {
    return (await this.#read()) !== null;
  }

  async standings(): Promise<HeadToHead | null> {
    const material = await this.#read();
    return material && ((await headToHeadIn(this.#folder, material))?.board ?? null);
  }

  /** The pair that this voter has not seen and the fewest others have; of equals, first one that a judge has compared too. */
  async next(voter: string): Promise<DuelToVote> {
    const material = await this.#read();
    if (!material) return { pair: null, left: 0, votes: 0 };
    const { pairs, votes } = await this.#pairs(material);
    const own = new Set(votes.filter((vote) => vote.voter === voter).map(pairId));
    const seen = new Map<string, number>();
    for (const vote of votes) seen.set(pairId(vote), (seen.get(pairId(vote)) ?? 0) + 1);
    const open = pairs
      .filter(({ id }) => !own.has(id))
      .sort((one, other) => (seen.get(one.id) ?? 0) - (seen.get(other.id) ?? 0));
    const [pair] = open;
    if (!pair) return { pair: null, left: 0, votes: own.size };
    const { characters, plot, scenes } = material.synopses.get(keyOf(pair))!.synopsis;
    const sides = shown(pair, voter).map((writer) => material.texts.get(writer)!.get(keyOf(pair))!);
    return {
      pair: {
        id: pair.id,
        synopsis: [...characters.map(({ name, about }) => `${name}: ${about}`), ...plot, ...scenes],
        sides: [sides[0]!, sides[1]!],
      },
      left: open.length,
      votes: own.size,
    };
  }

  async vote({ voter, pair: id, choice }: DuelVoteRequest, at: Date): Promise<DuelVoted> {
    const material = await this.#read();
    const pair = material && (await this.#pairs(material)).pairs.find((one) => one.id === id);
    if (!pair) throw notFound("pair of texts");
    const sides = shown(pair, voter);
    const { novel, chapter, left, right } = pair;
    const leftFirst = sides[0] === left;
    const vote: DuelVote = {
      ...{ voter, novel, chapter, left, right, leftFirst },
      better: choice === "tie" ? "tie" : (choice === "A") === leftFirst ? "left" : "right",
      at: at.toISOString(),
    };
    await appendFile(join(this.#folder, DUEL_VOTES_FILE), `${JSON.stringify(vote)}\n`);
    return { sides };
  }

  async #pairs(material: DuelMaterial) {
    const { judged, votes } = await knownAnswers(this.#folder, null, material);
    const pairs = new Map<string, Pair>();
    const add = ({ novel, chapter, left, right }: Omit<Pair, "id">) => {
      const id = pairId({ novel, chapter, left, right });
      if (!pairs.has(id)) pairs.set(id, { id, novel, chapter, left, right });
    };
    for (const row of judged) add(row);
    const writers = [...material.texts.keys()].sort();
    let turn = 0;
    for (const row of material.synopses.values()) {
      const here = writers.filter((writer) => material.texts.get(writer)!.has(keyOf(row)));
      if (here.length < 2 || pairs.size >= MOST_PAIRS) continue;
      // Every synopsis offers another pair, so that a few votes say something about every writer.
      const left = turn % here.length;
      const step = 1 + (Math.floor(turn / here.length) % (here.length - 1));
      turn++;
      const { novel, chapter } = row;
      add({ novel, chapter, left: here[left]!, right: here[(left + step) % here.length]! });
    }
    return { pairs: [...pairs.values()], votes: votes.map((vote) => ({ ...vote, voter: vote.voter! })) };
  }

  #read(): Promise<DuelMaterial | null> {
    this.#material ??= duelMaterial({ folder: this.#folder, writers: [], originals: null, rubric: null }).catch(
      () => null,
    );
    return this.#material;
  }
}

function pairId({ novel, chapter, left, right }: Omit<Pair, "id">): string {
  return sha256(JSON.stringify([novel, chapter, ...[left, right].sort()])).slice(0, 16);
}

/** Which of the two is shown first is drawn for every voter and pair. */
function shown({ id, left, right }: Pair, voter: string): [string, string] {
  return Number.parseInt(sha256(`${voter}\n${id}`).slice(0, 2), 16) % 2 === 0 ? [left, right] : [right, left];
}
