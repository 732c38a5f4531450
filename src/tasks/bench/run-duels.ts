import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HeadToHead } from "../../api/benchmarks.ts";
import {
  benchFiles,
  chosenChapterSchema,
  type SynopsisRow,
  synopsisRowSchema,
  type WrittenRow,
} from "../../bench/bench-folder.ts";
import { askDuel, DUEL_PROMPT, type DuelRow, duelRowSchema, type Meeting, PEOPLE } from "../../bench/duels/duel.ts";
import { type DuelBoard, duelBoard } from "../../bench/duels/duel-board.ts";
import { DuelSchedule } from "../../bench/duels/schedule.ts";
import { frozenIn } from "../../bench/frozen.ts";
import { modelFamily } from "../../bench/model-family.ts";
import { HUMAN } from "../../bench/population/novel-scores.ts";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { Run } from "../../runner/open-run.ts";
import { defaultRubric } from "./folder.ts";
import { writerCards, writtenRows } from "./frozen/files.ts";

/** Judges' answers about pairs of texts. Votes by people in the web app are in a file of their own. */
export const DUELS_FILE = "duels.jsonl";
export const DUEL_VOTES_FILE = "duel-votes.jsonl";

/** A person's blind vote between two texts, a line of `duel-votes.jsonl`. */
const duelVoteSchema = z.object({
  voter: z.string().min(1),
  novel: z.string(),
  chapter: z.number().int().positive(),
  left: z.string(),
  right: z.string(),
  leftFirst: z.boolean(),
  better: z.enum(["left", "right", "tie"]),
  at: z.string().optional(),
});
export type DuelVote = z.infer<typeof duelVoteSchema>;

/** What is needed to compare the texts of a folder. */
export interface DuelMaterial {
  /** By novel and chapter. */
  readonly synopses: ReadonlyMap<string, SynopsisRow & { readonly synopsis: NonNullable<SynopsisRow["synopsis"]> }>;
  /** By writer, then by novel and chapter; the human originals under their own name. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Hashes of the originals' texts, if a frozen benchmark lists them without the texts. */
  readonly originals: ReadonlyMap<string, string>;
  /** The writers' display names, if known. */
  readonly names: ReadonlyMap<string, string>;
  /** The model of each writer; a judge of the same family is excluded. */
  readonly models: ReadonlyMap<string, string>;
  readonly rubric: Rubric;
}

export interface DuelMaterialOptions {
  readonly folder: string;
  /** Compare only these writers; all by default. */
  readonly writers: readonly string[];
  /** The folder with the originals' texts, if they are not in the benchmark's folder. */
  readonly originals: string | null;
  readonly rubric: string | null;
}

export function keyOf({ novel, chapter }: { readonly novel: string; readonly chapter: number }): string {
  return `${novel}\n${chapter}`;
}

/** Texts that were written from the same synopses, in a folder of `bench run` or a frozen one. */
export async function duelMaterial(options: DuelMaterialOptions): Promise<DuelMaterial> {
  const { folder } = options;
  const frozen = await frozenIn(folder);
  const rubric = await loadRubric(options.rubric ?? frozen?.rubric.id ?? (await defaultRubric(folder)));
  const rows = await readJsonLines(benchFiles(folder).synopses, synopsisRowSchema);
  const synopses: DuelMaterial["synopses"] = new Map(
    rows.flatMap((row) => (row.synopsis ? [[keyOf(row), { ...row, synopsis: row.synopsis }] as const] : [])),
  );
  const written = (await writtenRows(folder)).filter((row) => row.text !== null && synopses.has(keyOf(row)));
  const known = [...new Set(written.map(({ writer }) => writer))];
  const unknown = options.writers.find((writer) => writer !== HUMAN && !known.includes(writer));
  if (unknown !== undefined) {
    throw new FabulaError(
      "E_USAGE",
      `${unknown} has no texts in ${folder}: ${known.length > 0 ? `it has ${known.join(", ")}.` : "write some with `fabula bench run`."}`,
    );
  }
  const isWanted = (writer: string) => options.writers.length === 0 || options.writers.includes(writer);
  const texts = new Map<string, Map<string, string>>();
  const add = (writer: string, key: string, text: string) => {
    if (isWanted(writer)) texts.set(writer, (texts.get(writer) ?? new Map<string, string>()).set(key, text));
  };
  for (const row of written) add(row.writer, keyOf(row), row.text!);
  const wanted = new Set([...texts.values()].flatMap((own) => [...own.keys()]));
  const originals = jsonLines(benchFiles(options.originals ?? folder).chapters, chosenChapterSchema);
  try {
    for await (const chapter of originals) if (wanted.has(keyOf(chapter))) add(HUMAN, keyOf(chapter), chapter.text);
  } catch (error) {
    // A frozen benchmark may leave out the originals; then only the writers are compared.
    if (options.originals !== null || options.writers.includes(HUMAN)) throw error;
  }
  if (texts.size < 2) {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `${folder} has texts of ${texts.size === 0 ? "no writer" : [...texts.keys()].join()}: head to head takes two writers of the same synopses.`,
    );
  }
  const cards = await writerCards(folder).catch(() => []);
  const models = new Map(cards.map(({ writer, model }) => [writer, model]));
  const names = new Map(cards.flatMap(({ writer, name }) => (name === undefined ? [] : [[writer, name]])));
  for (const { writer, model } of written as WrittenRow[]) if (!models.has(writer)) models.set(writer, model ?? writer);
  const hashes = isWanted(HUMAN)
    ? (frozen?.novels ?? []).flatMap(({ novel, chapters }) =>
        chapters.map(({ chapter, sha256: hash }) => [keyOf({ novel, chapter }), hash.slice(0, HASH)] as const),
      )
    : [];
  return { synopses, texts, originals: new Map(hashes), names, models, rubric };
}

export interface DuelOptions extends DuelMaterialOptions {
  readonly judges: readonly string[];
  /** The number of comparisons wanted in all, including earlier ones; null for twenty per contestant. */
  readonly meetings: number | null;
  /** A file of votes to count in addition to the folder's own. */
  readonly votes: string | null;
  readonly prompts: PromptSource;
  readonly seed: number;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface DuelResult {
  readonly folder: string;
  readonly file: string;
  readonly board: DuelBoard | null;
  /** Comparisons asked for in this run, and those that were already known. */
  readonly asked: number;
  readonly known: number;
  readonly votes: number;
  /** Answers that could not be read. */
  readonly unanswered: number;
  /** Why no more comparisons were made. */
  readonly ended: "settled" | "all met" | "meetings spent" | "no judge";
  /** Judges' answers about a writer of their own model family, which do not count. */
  readonly ownFamily: number;
  /** Whether the human original took part. */
  readonly hasHuman: boolean;
  /** The writers' display names, if known. */
  readonly names: Readonly<Record<string, string>>;
}

const MEETINGS_EACH = 20;
const HASH = 12;

/** Has judges compare writers in pairs, and rates all writers by all available answers. */
export async function runDuels(run: Run, options: DuelOptions): Promise<DuelResult> {
  const { folder, judges } = options;
  const material = await duelMaterial(options);
  const writers = [...material.texts.keys()].sort();
  const file = join(folder, DUELS_FILE);
  const { hash } = await options.prompts(DUEL_PROMPT, material.rubric.language);
  const promptHash = hash.slice(0, HASH);
  const answers = await knownAnswers(folder, options.votes, material);
  const isOfPrompt = (row: DuelRow) => (row.promptHash ?? promptHash) === promptHash;
  const known = answers.judged.filter(isOfPrompt);
  const others = answers.others.filter(isOfPrompt);
  const isHere = ({ left, right }: DuelRow) => material.texts.has(left) && material.texts.has(right);
  const { votes } = answers;
  const mayJudge = fairJudges(material);
  const schedule = new DuelSchedule(
    {
      writers,
      items: [...material.synopses.values()].map(({ novel, chapter }) => ({
        ...{ novel, chapter },
        writers: new Set(writers.filter((writer) => material.texts.get(writer)!.has(keyOf({ novel, chapter })))),
      })),
      judges,
      mayJudge,
    },
    seededRandom(options.seed),
  );
  for (const row of [...known, ...votes]) schedule.add(row);
  const most = options.meetings ?? Math.ceil((MEETINGS_EACH * writers.length) / 2);
  const before = meetingsOf(known.filter(isHere));
  const models = new Map(await Promise.all(judges.map(async (judge) => [judge, await run.model(judge)] as const)));
  const rows = [...known];
  let asked = 0;
  let ended: DuelResult["ended"] = judges.length === 0 ? "no judge" : "meetings spent";
  while (judges.length > 0 && before + asked < most) {
    const round = schedule.next(Math.min(writers.length, most - before - asked));
    if (round.length === 0) {
      ended = schedule.isSettled() ? "settled" : "all met";
      break;
    }
    const replies = await mapBounded(
      round.flatMap((meeting) => [true, false].map((leftFirst) => ({ meeting, leftFirst }))),
      run.concurrency,
      async ({ meeting, leftFirst }): Promise<DuelRow> => {
        const row = await decide(meeting, leftFirst, material, (texts) =>
          askDuel(models.get(meeting.judge)!, texts, { ...material, prompts: options.prompts }, options.signal),
        );
        return { ...row, promptHash };
      },
    );
    for (const reply of replies) schedule.add(reply);
    rows.push(...replies);
    asked += round.length;
    // Written after every round, so that an interrupted run loses nothing and the next run continues from here.
    if (!run.dryRun) await writeJsonLines(file, [...others, ...rows]);
    options.onProgress?.({ stage: "Head to head", done: before + asked, total: most });
  }
  const ownFamily = rows.filter(({ judge, left, right }) => !mayJudge(judge, left, right)).length;
  const fair = rows.filter(({ judge, left, right }) => mayJudge(judge, left, right));
  return {
    folder,
    file,
    board: duelBoard([...fair, ...votes]),
    asked,
    known: meetingsOf(known),
    votes: votes.length,
    unanswered: rows.filter(({ better }) => better === null).length,
    ended,
    ownFamily,
    hasHuman: [...material.texts.keys(), ...rows.flatMap(({ left, right }) => [left, right])].includes(HUMAN),
    names: Object.fromEntries(material.names),
  };
}

/** For two writers, the judges that share a model family with neither. */
function fairJudges({ models }: DuelMaterial) {
  return (judge: string, one: string, other: string): boolean => {
    const family = modelFamily(judge);
    return family === null || ![one, other].some((writer) => modelFamily(models.get(writer) ?? "") === family);
  };
}

/** The valid answers and votes in a folder and the board that follows from them; null if nothing was compared. */
export async function headToHeadIn(
  folder: string,
  given?: DuelMaterial,
): Promise<{ readonly rows: readonly DuelRow[]; readonly board: HeadToHead } | null> {
  if (![DUELS_FILE, DUEL_VOTES_FILE].some((file) => existsSync(join(folder, file)))) return null;
  const material = given ?? (await duelMaterial({ folder, writers: [], originals: null, rubric: null }));
  const { judged, votes } = await knownAnswers(folder, null, material);
  const mayJudge = fairJudges(material);
  const rows = [...judged.filter(({ judge, left, right }) => mayJudge(judge, left, right)), ...votes];
  const board = duelBoard(rows);
  if (!board) return null;
  return {
    rows,
    board: {
      rows: board.rows.map(({ groups, ...row }) => ({ ...row, letters: groups })),
      judges: board.judges.map(({ judge, meetings, withPeople }) => ({ judge, meetings, withPeople })),
      acrossJudges: board.acrossJudges,
    },
  };
}

async function decide(
  { novel, chapter, left, right, judge }: Meeting,
  leftFirst: boolean,
  { synopses, texts }: DuelMaterial,
  askJudge: (texts: Parameters<typeof askDuel>[1]) => ReturnType<typeof askDuel>,
): Promise<DuelRow> {
  const key = keyOf({ novel, chapter });
  const [one, other] = [texts.get(left)!.get(key)!, texts.get(right)!.get(key)!];
  const answer = await askJudge({
    synopsis: synopses.get(key)!.synopsis,
    first: leftFirst ? one : other,
    second: leftFirst ? other : one,
  });
  const better =
    answer.kind === "undecided"
      ? null
      : answer.better === "tie"
        ? ("tie" as const)
        : (answer.better === "first") === leftFirst
          ? ("left" as const)
          : ("right" as const);
  return {
    ...{ novel, chapter, left, right, leftHash: hashOf(one), rightHash: hashOf(other), leftFirst, judge, better },
    reason: answer.reason,
    ...(answer.kind === "decided" && answer.stated !== undefined && { stated: answer.stated }),
  };
}

function hashOf(text: string): string {
  return sha256(text).slice(0, HASH);
}

/** Whether both texts are still the ones that were compared; a writer left out of this run counts as missing. */
function isCurrent(row: DuelRow, material: DuelMaterial): boolean {
  return hashIn(material, row.left, row) === row.leftHash && hashIn(material, row.right, row) === row.rightHash;
}

/**
 * The hash of a contestant's text; for an original whose text is not published, the hash that the frozen benchmark
 * lists.
 */
function hashIn(
  { texts, originals }: DuelMaterial,
  writer: string,
  row: Pick<DuelRow, "novel" | "chapter">,
): string | undefined {
  const text = texts.get(writer)?.get(keyOf(row));
  return text !== undefined ? hashOf(text) : writer === HUMAN ? originals.get(keyOf(row)) : undefined;
}

function meetingsOf(rows: readonly DuelRow[]): number {
  return new Set(rows.map(({ novel, chapter, left, right, judge }) => [novel, chapter, left, right, judge].join("\n")))
    .size;
}

async function readRows<Row>(file: string, schema: z.ZodType<Row>): Promise<Row[]> {
  return existsSync(file) ? readJsonLines(file, schema) : [];
}

/** Judges' answers and people's votes about the texts in their current form. */
export async function knownAnswers(folder: string, votes: string | null, material: DuelMaterial) {
  const judged = await readRows(join(folder, DUELS_FILE), duelRowSchema);
  return {
    judged: judged.filter((row) => isCurrent(row, material)),
    /** Answers about writers left out of this run stay in the file. */
    others: judged.filter((row) => !isCurrent(row, material)),
    votes: await readVotes(folder, votes, material),
  };
}

/** Copies the answers and votes on a frozen benchmark's chapters from these folders; voters become numbers. */
export async function copyDuels(
  folders: readonly string[],
  out: string,
  isFrozen: (row: Pick<DuelRow, "novel" | "chapter">) => boolean,
): Promise<void> {
  const [rows, votes]: [Map<string, DuelRow>, Map<string, DuelVote>] = [new Map(), new Map()];
  for (const folder of folders) {
    for (const row of await readRows(join(folder, DUELS_FILE), duelRowSchema))
      if (isFrozen(row)) rows.set(JSON.stringify(row), row);
    for (const vote of await readRows(join(folder, DUEL_VOTES_FILE), duelVoteSchema)) {
      const voter = /^voter [0-9a-f]{8}$/.test(vote.voter) ? vote.voter : `voter ${sha256(vote.voter).slice(0, 8)}`;
      if (isFrozen(vote)) votes.set(JSON.stringify({ ...vote, voter }), { ...vote, voter });
    }
  }
  if (rows.size > 0) await writeJsonLines(join(out, DUELS_FILE), rows.values());
  if (votes.size > 0) await writeJsonLines(join(out, DUEL_VOTES_FILE), votes.values());
}

/** Votes as they may be published: who voted is a number. */
export async function votesWithoutNames(folder: string): Promise<DuelVote[]> {
  const votes = await readRows(join(folder, DUEL_VOTES_FILE), duelVoteSchema);
  const voters = [...new Set(votes.map(({ voter }) => voter))];
  return votes.map((vote) => ({ ...vote, voter: `voter ${voters.indexOf(vote.voter) + 1}` }));
}

/** Votes from the web app and from a given file. If a person voted twice on a pair, the later vote counts. */
async function readVotes(folder: string, votes: string | null, material: DuelMaterial): Promise<DuelRow[]> {
  const own = await readRows(join(folder, DUEL_VOTES_FILE), duelVoteSchema);
  const others = votes === null ? [] : await readJsonLines(votes, duelVoteSchema);
  const last = new Map<string, DuelVote>();
  for (const vote of [...own, ...others])
    last.set(JSON.stringify([vote.voter, keyOf(vote), ...[vote.left, vote.right].sort()]), vote);
  return [...last.values()].flatMap(({ at: _at, ...vote }) => {
    const [leftHash, rightHash] = [vote.left, vote.right].map((writer) => hashIn(material, writer, vote));
    if (leftHash === undefined || rightHash === undefined) return [];
    return [{ ...vote, judge: PEOPLE, reason: "", leftHash, rightHash }];
  });
}
