import { open, readFile, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JudgeStanding, Vote } from "../../api/votes.ts";
import { makeFolder } from "../../core/files.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { TRUST_FOLDER } from "../../tasks/trust/panel/trust-files.ts";
import { type Disagreements, findDisagreements } from "../../tasks/trust/votes/disagreements.ts";
import { judgeStandings } from "../../tasks/trust/votes/judge-standings.ts";
import { type JudgedBook, judgedBook, withNames } from "../../tasks/trust/votes/scorers.ts";
import { standingVotes, VOTES_FILE, type VoteLine, voteLineSchema } from "../../tasks/trust/votes/vote.ts";
import { notFound } from "../ids.ts";
import type { EvaluationFiles } from "../library/evaluation-files.ts";
import type { Services } from "../services.ts";

/** Blind votes, one line each, written to disk before the response is sent; a retracted vote is a line of its own. */
export class VoteShelf {
  readonly path: string;
  #lines: Promise<VoteLine[]> | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** The votes that count, the earliest first. */
  async list(voter?: string): Promise<Vote[]> {
    const votes = standingVotes(await this.#read());
    return voter === undefined ? votes : votes.filter((vote) => vote.voter === voter);
  }

  add(...votes: readonly Vote[]): Promise<void> {
    return this.#append(votes);
  }

  /** Retracts a vote; if a voter is named, only that voter's. */
  async retract(id: string, voter?: string): Promise<Vote> {
    const vote = (await this.list(voter)).find((one) => one.id === id);
    if (!vote) throw notFound("vote");
    await this.#append([{ retracted: id }]);
    return vote;
  }

  /** One write at a time, even if several people vote at once. */
  #append(added: readonly VoteLine[]): Promise<void> {
    const written = this.#writing.then(async () => {
      const lines = await this.#read();
      await makeFolder(dirname(this.path), { mode: 0o700 });
      const file = await open(this.path, "a", 0o600);
      try {
        await file.write(added.map((line) => `${JSON.stringify(line)}\n`).join(""));
        await file.datasync();
      } finally {
        await file.close();
      }
      for (const line of added) lines.push(line);
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  #read(): Promise<VoteLine[]> {
    this.#lines ??= readWhole(this.path).catch((error: unknown) => {
      this.#lines = null;
      throw error;
    });
    return this.#lines;
  }
}

/** A line that a crash cut short was never confirmed to the voter, so it is removed. */
async function readWhole(path: string): Promise<VoteLine[]> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (content === null) return [];
  const end = content.lastIndexOf("\n") + 1;
  if (end < content.length) await truncate(path, end);
  return readJsonLines(path, voteLineSchema);
}

const AT_A_TIME = 8;

interface Index extends Disagreements {
  /** Newest first. */
  readonly judged: readonly JudgedBook[];
  readonly standings: readonly JudgeStanding[];
}

/** Every judge's scores by book. Only the scores and the positions of quotations of an evaluation stay in memory. */
class DisagreementIndex {
  readonly #shelf: EvaluationFiles;
  readonly #judged = new Map<string, JudgedBook>();
  #known: { readonly ids: string; readonly index: Promise<Index> } | null = null;

  constructor(shelf: EvaluationFiles) {
    this.#shelf = shelf;
  }

  current(): Promise<Index> {
    const ids = this.#shelf.list().map(({ id }) => id);
    const key = ids.join();
    if (this.#known?.ids !== key) this.#known = { ids: key, index: this.#build(ids) };
    return this.#known.index;
  }

  async #build(ids: readonly string[]): Promise<Index> {
    const wanted = new Set(ids);
    for (const id of this.#judged.keys()) if (!wanted.has(id)) this.#judged.delete(id);
    // A few at a time: thousands at once would fill the memory and block other requests.
    const found = await mapBounded(ids, AT_A_TIME, (id) => this.#judgedBooks(id));
    const all = withNames(found.filter((one) => one !== null));
    const disagreements = findDisagreements(all.flatMap(({ scorers }) => scorers));
    return { ...disagreements, judged: all, standings: judgeStandings(disagreements.aspects) };
  }

  /** Skips an evaluation that was just deleted or cannot be read. */
  async #judgedBooks(id: string): Promise<JudgedBook | null> {
    const known = this.#judged.get(id);
    if (known) return known;
    try {
      const { bookId } = this.#shelf.summary(id);
      const one = judgedBook(await this.#shelf.evaluation(id), { evaluationId: id, bookId });
      this.#judged.set(id, one);
      return one;
    } catch {
      return null;
    }
  }
}

/** What judges said and what people think of it: shared by disagreements, votes and trust. */
export interface EvidenceBench {
  readonly index: DisagreementIndex;
  readonly votes: VoteShelf;
}

/** Delays the indexing so that the first page requests are answered first. */
const QUIET_MILLISECONDS = 8000;

export async function evidenceBench({ evaluations, settings }: Services): Promise<EvidenceBench> {
  // The commands that the trust panel shows write into this folder.
  await makeFolder(join(settings.library, TRUST_FOLDER), { mode: 0o700 });
  const index = new DisagreementIndex(evaluations);
  // Reading thousands of evaluations takes seconds, so it is done before somebody opens the disagreements.
  setTimeout(() => void index.current().catch(() => {}), QUIET_MILLISECONDS).unref();
  return { index, votes: new VoteShelf(join(settings.library, VOTES_FILE)) };
}
