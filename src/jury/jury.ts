import { assetPath } from "../core/assets.ts";
import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { sumBy } from "../stats/distribution.ts";
import { type DomainModel, domainMatch, loadDomain } from "./domain.ts";
import { type Grader, loadGrader } from "./grader.ts";
import type { Juror, JurorId, Opinion } from "./juror.ts";
import { type JurorHead, readJuror } from "./juror-file.ts";
import { LinearJudge } from "./linear-judge.ts";
import { type LineNotes, loadLineNotes } from "./notes.ts";
import { type PreparedText, prepareText, scoredParts, storyLength } from "./prepare-text.ts";
import { reasonNotToRead } from "./readable.ts";

type LinearJurorId = "crowd" | "editor";

const DESCRIPTIONS = {
  crowd: { speaker: "readers of short stories online", scale: { minimum: 0, maximum: 100 }, minimumWords: 120 },
  editor: { speaker: "professional editors", scale: { minimum: 1, maximum: 10 }, minimumWords: 40 },
} as const satisfies Record<LinearJurorId, Pick<Juror, "speaker" | "scale" | "minimumWords">>;

const JUROR_FILE = "weights.bin";

/** A juror whose score is the mean over windows of a sum over n-grams. */
function loadLinearJuror(id: LinearJurorId, domain: DomainModel, folder = assetPath("models", id)): Juror {
  const { model, head, digest } = readJuror(folder, JUROR_FILE, id);
  const linear = new LinearJudge(model);
  const { speaker, scale, minimumWords } = DESCRIPTIONS[id];
  const clip = (value: number) => Math.min(scale.maximum, Math.max(scale.minimum, value));

  const lengthShare = (words: number) => (head.storyLengthWeight ?? 0) * storyLength(words);
  const sumOf = ({ prose, counts }: PreparedText): number =>
    prose.wordCount === 0 ? 0 : linear.score(linear.read(prose, counts))[0]!;

  return {
    id,
    speaker,
    version: digest.slice(0, 12),
    scale,
    minimumWords,
    judge(chapters) {
      const parts = scoredParts(chapters);
      const words = sumBy(parts, ({ prose }) => prose.wordCount);
      const refuse = (reason: string) => refusal(id, words, unscored(reason));
      const reason = reasonNotToRead(chapters, minimumWords);
      if (reason !== null) return refuse(reason);
      const match = domainMatch(domain, id, chapters);
      if (match.domain === "far outside") return { ...refuse(match.reason!), domain: match.domain };
      const sums = parts.map(sumOf);
      const share = ({ prose }: PreparedText) => prose.wordCount / words;
      const score = parts.reduce((sum, text, at) => sum + share(text) * sums[at]!, lengthShare(words));
      const half = halfWidth(head.misses, words, match.domain);
      return {
        juror: id,
        overall: scored(clip(score), [clip(score - half), clip(score + half)]),
        criteria: {},
        domain: match.domain,
        caveat: match.reason,
        words,
        chapters: chapters.map((text, at) => {
          const own = text.prose.wordCount;
          if (own < minimumWords) return null;
          return clip((parts === chapters ? sums[at]! : sumOf(text)) + lengthShare(own));
        }),
      };
    },
    explain(text) {
      if (reasonNotToRead([text], minimumWords) !== null) return null;
      const { shares, intercepts } = linear.breakDown(linear.read(text.prose, text.counts));
      return { intercept: intercepts[0]! + lengthShare(text.prose.wordCount), sentences: shares[0]! };
    },
  };
}

function refusal(juror: LinearJurorId, words: number, overall: Verdict) {
  return { juror, overall, criteria: {}, domain: "inside", caveat: null, words, chapters: [] } as const;
}

type Miss = JurorHead["misses"][number];

/**
 * Half the range of a score for a text of this many words. Between measured lengths, the error is interpolated over
 * the logarithm of the length. Beyond the longest it is constant: reading more of a book reduces the spread of its
 * windows, but not the juror's error about a whole text, and there are no book-length ratings to learn that from.
 */
function halfWidth(misses: readonly Miss[], words: number, domain: "inside" | "outside"): number {
  const sorted = [...misses].sort((left, right) => left.words - right.words);
  const above = sorted.findIndex((miss) => miss.words >= words);
  if (above === -1) return sorted.at(-1)![domain];
  if (above === 0) return sorted[0]![domain];
  const [low, high] = [sorted[above - 1]!, sorted[above]!];
  const part = Math.log(words / low.words) / Math.log(high.words / low.words);
  return low[domain] + part * (high[domain] - low[domain]);
}

const MINIMUM_WORDS = 150;
/**
 * Outside its domain the range is wider by this factor. Set by hand, since there are no grades of such texts to learn
 * it from.
 */
const OUTSIDE_WIDENING = 1.3;

/** Wraps the grader, which judges single chapters, as a juror, with the jury's refusals and ranges. */
function graderJuror(judge: Grader, domain: DomainModel): Juror {
  const { scale } = judge.rubric;
  const refuse = (words: number, reason: string): Opinion => ({
    juror: "grader",
    overall: unscored(reason),
    criteria: Object.fromEntries(judge.criteria.map(({ id }) => [id, unscored(reason)])),
    domain: "inside",
    caveat: null,
    words,
    chapters: [],
  });
  return {
    id: "grader",
    speaker: "a language-model grader",
    version: judge.version,
    scale,
    minimumWords: MINIMUM_WORDS,
    judge(chapters) {
      const parts = scoredParts(chapters);
      const words = sumBy(parts, ({ prose }) => prose.wordCount);
      const reason = reasonNotToRead(chapters, MINIMUM_WORDS);
      if (reason !== null) return refuse(words, reason);
      const match = domainMatch(domain, "grader", chapters);
      if (match.domain === "far outside") return { ...refuse(words, match.reason!), domain: match.domain };
      const { overall, criteria, chapters: pieceSums } = judge.scorePrepared(parts);
      const sums = parts === chapters ? pieceSums : judge.scorePrepared(chapters).chapters;
      const widened = (verdict: Verdict): Verdict => {
        if (!isScored(verdict) || !verdict.interval || match.domain === "inside") return verdict;
        const [low, high] = verdict.interval;
        const { score } = verdict;
        return scored(score, [
          Math.max(scale.minimum, score - OUTSIDE_WIDENING * (score - low)),
          Math.min(scale.maximum, score + OUTSIDE_WIDENING * (high - score)),
        ]);
      };
      return {
        juror: "grader",
        overall: widened(overall),
        criteria: Object.fromEntries(Object.entries(criteria).map(([id, verdict]) => [id, widened(verdict)])),
        domain: match.domain,
        caveat: match.reason,
        words,
        chapters: chapters.map(({ prose }, at) => (prose.wordCount < MINIMUM_WORDS ? null : sums[at]!)),
      };
    },
    explain(text: PreparedText) {
      if (reasonNotToRead([text], MINIMUM_WORDS) !== null) return null;
      return judge.sharesOfOverall(text);
    },
  };
}

/** The embedded judges. They are never averaged: a report shows where they disagree. */
export interface Jury {
  readonly jurors: Readonly<Record<JurorId, Juror>>;
  readonly notes: LineNotes;
  readonly domain: DomainModel;
  /** Reads a text once for all methods below. */
  prepare(text: string): PreparedText;
  /** The verdicts of all three on a text, or on a book given as its chapters. */
  judge(chapters: readonly PreparedText[]): Readonly<Record<JurorId, Opinion>>;
}

let shipped: Promise<Jury> | undefined;

/** The jury that ships with the package, loaded once. */
export function loadJury(): Promise<Jury> {
  shipped ??= load();
  return shipped;
}

async function load(): Promise<Jury> {
  const domain = loadDomain();
  const jurors = {
    crowd: loadLinearJuror("crowd", domain),
    editor: loadLinearJuror("editor", domain),
    grader: graderJuror(await loadGrader(), domain),
  };
  return {
    jurors,
    notes: loadLineNotes(),
    domain,
    prepare: prepareText,
    judge: (chapters) => ({
      crowd: jurors.crowd.judge(chapters),
      editor: jurors.editor.judge(chapters),
      grader: jurors.grader.judge(chapters),
    }),
  };
}
