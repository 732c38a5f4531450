import { basename, extname } from "node:path";
import type { ImportAnswer } from "../../api/grid.ts";
import type { Vote } from "../../api/votes.ts";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { HUNDRED, rescale, type Scale, scored, unscored } from "../../core/verdict.ts";
import { type AspectResult, type BookEvaluation, IMPORTED } from "../../judge/evaluation.ts";
import { spreadOf } from "../../judge/repeats.ts";
import { newestLines } from "../../report/grid.ts";
import { mean } from "../../stats/distribution.ts";
import type { TrustTable } from "../../stats/meta-evaluation/trust-study.ts";
import type { Imported, ImportedText, ImportedVerdict, ImportedVote } from "../../tasks/trust/import-verdicts.ts";
import type { DisputedPair, PairSide } from "../../tasks/trust/votes/disagreements.ts";
import { newId } from "../ids.ts";
import { bookTitle, type Services } from "../services.ts";
import type { EvidenceBench } from "./evidence-bench.ts";

export interface ImportOptions {
  /** The file as its sender named it. */
  readonly name: string;
  readonly judgeScale: Scale | null;
  readonly peopleScale: Scale | null;
}

/** A limit, so that one import cannot fill the disk. */
const MOST_EVALUATIONS = 20_000;

/** Adds verdicts made elsewhere to the grid, and turns ratings and votes into votes on judges' disagreements. */
export async function addImport(
  imported: Imported,
  options: ImportOptions,
  services: Services,
  bench: EvidenceBench,
): Promise<ImportAnswer> {
  const find = bookFinder(services);
  if (imported.kind === "votes") {
    const added = await addVotes(imported.votes, find, services, bench);
    return { verdicts: 0, judges: [], elsewhere: [], ...added };
  }
  const { texts } = imported;
  const count = texts.reduce((sum, { judges }) => sum + judges.length, 0);
  if (count > MOST_EVALUATIONS)
    throw new FabulaError(
      "E_REQUEST",
      `The file holds ${count} verdicts, and ${MOST_EVALUATIONS} can be imported at a time.`,
    );
  const judged = texts.flatMap(({ judges }) =>
    judges.flatMap(({ runs, aspects }) => [...runs, ...Object.values(aspects).flat()]),
  );
  const judgeScale = checkedScale(options.judgeScale, judged, "judges");
  const peopleScale = checkedScale(
    options.peopleScale,
    texts.flatMap(({ people }) => people.map(({ score }) => score)),
    "people",
  );
  for (const text of texts) {
    const book = find(text.id);
    for (const verdict of text.judges)
      await services.evaluations.add(book.id, evaluationOf(text, verdict, book, judgeScale, options.name));
  }
  const ratings = texts.flatMap(({ id, people }) =>
    people.map(({ name, score }) => ({ voter: name, text: id, score: rescale(score, peopleScale, HUNDRED) })),
  );
  const added = await addRatings(ratings, find, services, bench);
  return {
    verdicts: count,
    judges: [...new Set(texts.flatMap(({ judges }) => judges.map(({ name }) => name)))],
    elsewhere: texts.filter(({ id, judges }) => judges.length > 0 && !find(id).isShelved).map(({ id }) => id),
    ...added,
  };
}

/** The scale, checked against the scores; without scores none is needed. */
function checkedScale(scale: Scale | null, scores: readonly number[], whose: "judges" | "people"): Scale {
  if (scores.length === 0) return HUNDRED;
  const [low, high] = [scores.reduce((a, b) => Math.min(a, b)), scores.reduce((a, b) => Math.max(a, b))];
  if (scale && scale.minimum < scale.maximum && low >= scale.minimum && high <= scale.maximum) return scale;
  throw new FabulaError(
    "E_REQUEST",
    `Say on which scale the ${whose} scored, lowest and highest: their scores lie between ${low} and ${high}.`,
  );
}

interface FoundBook {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly isShelved: boolean;
}

/** Matches a text to a library book by title, file name or id; a text that matches none gets an id of its own. */
function bookFinder({ books }: Services): (text: string) => FoundBook {
  const known = new Map<string, FoundBook>();
  for (const { id, file } of books.list()) {
    const title = bookTitle(books, id);
    const book = { id, title, file, isShelved: true };
    for (const name of [file, basename(file, extname(file)), title, id]) known.set(name.toLowerCase(), book);
  }
  return (text) =>
    known.get(text.toLowerCase()) ?? {
      id: `imported-${sha256(text.toLowerCase()).slice(0, 16)}`,
      title: text,
      file: text,
      isShelved: false,
    };
}

function evaluationOf(
  { words }: ImportedText,
  { name, runs, aspects, cost }: ImportedVerdict,
  { title, file }: FoundBook,
  scale: Scale,
  source: string,
): BookEvaluation {
  const overall = spreadOf(
    runs.map((score) => scored(score)),
    scale,
  );
  const repeats = (scores: readonly number[], standardDeviation: number | null) =>
    scores.length < 2 ? {} : { repeats: { scores: [...scores], standardDeviation, unscored: 0 } };
  return {
    book: { file, title, author: null, language: null, words: words ?? 0, chapters: [], warnings: [] },
    judge: name,
    method: IMPORTED,
    rubric: { id: IMPORTED, version: 1 },
    scale: { ...scale },
    runs: Math.max(1, runs.length),
    overall: runs.length === 0 ? unscored("no overall score was imported") : overall.verdict,
    ...repeats(runs, overall.standardDeviation),
    overallPercentile: null,
    overallCourse: [],
    aspects: Object.entries(aspects).map(([aspect, scores]): AspectResult => {
      const own = spreadOf(
        scores.map((score) => scored(score)),
        scale,
      );
      return {
        id: aspect,
        name: aspect,
        verdict: own.verdict,
        percentile: null,
        strengths: [],
        weaknesses: [],
        evidence: [],
        course: [],
        ...repeats(scores, own.standardDeviation),
      };
    }),
    population: null,
    // How much of the text the judge saw is not known.
    coverage: { words: 0, judgedWords: 0, share: 0, skipped: [] },
    calls: 0,
    cost: cost === null ? null : cost * Math.max(1, runs.length),
    // What it cost elsewhere is unknown, not nothing.
    ...(cost === null && { unpricedCalls: Math.max(1, runs.length) }),
    notes: [`Imported from ${source}: the prompts behind it are not known.`],
  };
}

type Added = Pick<ImportAnswer, "votes" | "unused">;

/** A rating becomes a vote for whichever of two disagreeing judges is nearer to it. */
async function addRatings(
  ratings: readonly { readonly voter: string; readonly text: string; readonly score: number }[],
  find: (text: string) => FoundBook,
  services: Services,
  bench: EvidenceBench,
): Promise<Added> {
  if (ratings.length === 0) return { votes: 0, unused: 0 };
  const { pairs } = await bench.index.current();
  const own = ratings.map(({ voter, text, score }) => {
    const { id } = find(text);
    const decided = pairs.filter(
      ({ bookId, aspect, passage }) => bookId === id && aspect === "overall" && passage === null,
    );
    return decided.map((pair) => voteOn(pair, pair.sides, { voter, choice: "score", score }, services));
  });
  const votes = own.flat();
  if (votes.length > 0) await bench.votes.add(...votes);
  return { votes: votes.length, unused: own.filter(({ length }) => length === 0).length };
}

async function addVotes(
  given: readonly ImportedVote[],
  find: (text: string) => FoundBook,
  services: Services,
  bench: EvidenceBench,
): Promise<Added> {
  const { pairs } = await bench.index.current();
  const isNamed = ({ scorer }: PairSide, name: string) =>
    [scorer.name, scorer.judge].some((one) => one.toLowerCase() === name.toLowerCase());
  const votes = given.flatMap(({ text, aspect, judges: [first, second], voter, choice, score }): Vote[] => {
    const { id } = find(text);
    for (const pair of pairs) {
      if (pair.bookId !== id || pair.aspect !== aspect || pair.passage !== null) continue;
      const [one, other] = pair.sides;
      const sides =
        isNamed(one, first) && isNamed(other, second)
          ? ([one, other] as const)
          : isNamed(other, first) && isNamed(one, second)
            ? ([other, one] as const)
            : null;
      if (sides) return [voteOn(pair, sides, { voter, choice, score }, services)];
    }
    return [];
  });
  if (votes.length > 0) await bench.votes.add(...votes);
  return { votes: votes.length, unused: given.length - votes.length };
}

function voteOn(
  { id, bookId, aspect, aspectName }: DisputedPair,
  sides: readonly [PairSide, PairSide],
  said: Pick<Vote, "voter" | "choice" | "score">,
  { clock, books, evaluations }: Services,
): Vote {
  const now = clock.now();
  const [first, second] = sides.map(({ scorer: { way, judge, name, evaluationId }, score: { score } }) => ({
    ...{ way, judge, name, evaluationId },
    score,
  }));
  const isShelved = books.list().some((book) => book.id === bookId);
  return {
    id: newId(now),
    at: now.toISOString(),
    seed: 0,
    pair: id,
    bookId,
    title: isShelved ? bookTitle(books, bookId) : evaluations.summary(first!.evaluationId).title,
    aspect,
    aspectName,
    ...said,
    sides: [first!, second!],
  };
}

/** The overall scores of the grid, and the scores of their own that people voted with, all on 0 to 100. */
export async function gridVerdicts({ books, evaluations }: Services, { votes }: EvidenceBench): Promise<TrustTable> {
  const lines = newestLines(evaluations.forGrid());
  const titles = new Map(books.list().map(({ id }) => [id, bookTitle(books, id)]));
  const nameOf = (bookId: string, title: string) => titles.get(bookId) ?? title;
  const bookIds = [...new Set(lines.map(({ bookId }) => bookId))];
  const own = new Map(lines.map(({ bookId, title }) => [bookId, nameOf(bookId, title)]));
  const isTwice = (title: string) => [...own.values()].filter((one) => one === title).length > 1;
  const ways = [...new Map(lines.map(({ way, judge, method }) => [way, { judge, method }]))];
  const isSeveral = (judge: string) => ways.filter(([, one]) => one.judge === judge).length > 1;
  const said = (await votes.list()).filter(({ aspect, score }) => aspect === "overall" && score !== null);
  const voters = [...new Set(said.map(({ voter }) => voter))];
  return {
    texts: bookIds.map((id) => (isTwice(own.get(id)!) ? `${own.get(id)} (${id})` : own.get(id)!)),
    raters: voters.map((voter) => ({
      name: voter,
      scores: Float64Array.from(bookIds, (id) => {
        const scores = said.filter((vote) => vote.voter === voter && vote.bookId === id).map(({ score }) => score!);
        return scores.length === 0 ? Number.NaN : mean(scores);
      }),
    })),
    judges: ways.map(([way, { judge, method }]) => {
      const runs = bookIds.map((id) => {
        const verdict = lines.find((line) => line.bookId === id && line.way === way)?.verdicts.overall;
        return verdict?.kind === "scored" ? [verdict.score] : [];
      });
      return {
        name: isSeveral(judge) ? `${judge} · ${method}` : judge,
        runs,
        scores: Float64Array.from(runs, ([score]) => score ?? Number.NaN),
      };
    }),
    system: null,
    item: null,
    kind: null,
  };
}
