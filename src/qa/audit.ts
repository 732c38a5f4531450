import { sha256 } from "../core/hash.ts";
import { type Random, seededRandom, shuffled } from "../core/random.ts";
import { mean, sum, wilsonInterval } from "../stats/distribution.ts";
import { cohenKappa, type Statistic } from "../stats/index.ts";
import { drawPositions, percentileBootstrap } from "../stats/resampling.ts";
import type { QaDocument, Question } from "./dataset/document.ts";
import { type DroppedQuestion, withoutChanges } from "./refinement.ts";

/** What refinement changed in a sample: nothing, only the question, only answers, or both (which drops the sample). */
export type Correction = "none" | "question" | "answers" | "both";

/** A question or one of its answers before refinement. */
export interface AuditedText {
  /** A random id that reveals nothing about the text. */
  readonly id: string;
  /** −1 for the question, the answer's position otherwise. */
  readonly answer: number;
  readonly original: string;
  readonly corrected: string | null;
}

export interface AuditedSample {
  readonly document: Pick<QaDocument, "document_id" | "title" | "summary">;
  /** The question as it was before refinement. */
  readonly question: string;
  readonly correction: Correction;
  readonly texts: readonly AuditedText[];
  /** The id under which the whole sample's correction is reviewed. */
  readonly id: string;
  /** The question after refinement. */
  readonly refined: Question;
}

/** Every sample that refinement examined, kept or dropped, with its original text. */
export function auditedSamples(documents: readonly QaDocument[], dropped: readonly DroppedQuestion[]): AuditedSample[] {
  return documents.flatMap((document) => {
    const own = dropped.filter(({ document_id }) => document_id === document.document_id);
    return [...document.qas, ...own].map((qa) => sampleOf(document, qa));
  });
}

function sampleOf(document: QaDocument, refined: Question): AuditedSample {
  const before = withoutChanges(refined, () => true);
  const changes = refined.changes ?? [];
  const inQuestion = changes.some(({ target }) => target === "question");
  const inAnswers = changes.some(({ target }) => target === "answer");
  const place = `${document.document_id}/${before.question}`;
  const text = (answer: number, original: string): AuditedText => {
    const change = changes.find((one) => (one.answer ?? -1) === answer);
    return { id: blindId(`${place}/${answer}`), answer, original, corrected: change?.correction ?? null };
  };
  return {
    document,
    question: before.question,
    correction: inQuestion && inAnswers ? "both" : inQuestion ? "question" : inAnswers ? "answers" : "none",
    texts: [text(-1, before.question), ...before.answers.map((answer, index) => text(index, answer))],
    id: blindId(`${place}/correction`),
    refined,
  };
}

const ID_LENGTH = 12;

function blindId(place: string): string {
  return sha256(place).slice(0, ID_LENGTH);
}

/** One reviewer's decisions by the id of the line: true for yes. Lines left empty are absent. */
export type Decisions = ReadonlyMap<string, boolean>;

/** The share of these lines that each reviewer accepted, and how far the reviewers agree. */
export interface Acceptance {
  readonly name: string;
  readonly reviewers: readonly { readonly lines: number; readonly share: number | null }[];
  /** Between the first two reviewers, over the lines that both decided. */
  readonly kappa: Statistic | null;
}

/** How well refinement found what the first reviewer calls unacceptable. */
export interface Detection {
  readonly name: string;
  readonly flagged: number;
  readonly precision: { readonly value: number; readonly interval: readonly [number, number] } | null;
  /** Each unchanged sample is weighted by the number it represents. Null if no unchanged one was reviewed. */
  readonly recall: number | null;
  readonly recallInterval: readonly [number, number] | null;
}

export interface AuditReport {
  readonly originals: readonly Acceptance[];
  readonly detection: readonly Detection[];
  readonly corrections: readonly Acceptance[];
}

const CORRECTIONS: readonly (readonly [Correction, string])[] = [
  ["question", "Only in questions"],
  ["answers", "Only in answers"],
  ["both", "Both"],
];

/** LiteraryQA's Tables 1 and 2 from reviewers' decisions, and the precision and recall of each kind of correction. */
export function auditReport(samples: readonly AuditedSample[], reviewers: readonly Decisions[]): AuditReport {
  const most = samples.reduce((longest, { texts }) => Math.max(longest, texts.length - 1), 0);
  const kinds = [-1, ...Array.from({ length: most }, (_, index) => index)];
  const textsOf = (kind: number) =>
    samples.flatMap((sample) => sample.texts.filter(({ answer }) => answer === kind).map((text) => ({ sample, text })));
  const ids = (kind: number) => textsOf(kind).map(({ text }) => text.id);
  const originals = kinds.map((kind) => acceptance(nameOf(kind), ids(kind), reviewers));
  return {
    originals: [...originals, averageOf(originals)],
    detection: kinds.map((kind) => detection(nameOf(kind), textsOf(kind), reviewers[0]!)),
    corrections: CORRECTIONS.map(([correction, name]) =>
      acceptance(
        name,
        samples.filter((sample) => sample.correction === correction).map(({ id }) => id),
        reviewers,
      ),
    ),
  };
}

function nameOf(kind: number): string {
  return kind < 0 ? "Questions" : `Answer #${kind + 1}`;
}

function acceptance(name: string, ids: readonly string[], reviewers: readonly Decisions[]): Acceptance {
  const decided = reviewers.map((decisions) => ids.flatMap((id) => decisions.get(id) ?? []));
  const [first, second] = reviewers;
  const both = second ? ids.filter((id) => first!.has(id) && second.has(id)) : [];
  const levels = (decisions: Decisions) => both.map((id) => Number(decisions.get(id)));
  return {
    name,
    reviewers: decided.map((answers) => ({
      lines: answers.length,
      share: answers.length === 0 ? null : answers.filter(Boolean).length / answers.length,
    })),
    kappa: second ? cohenKappa(levels(first!), levels(second)) : null,
  };
}

function averageOf(rows: readonly Acceptance[]): Acceptance {
  const kappas = rows.flatMap(({ kappa }) => (kappa?.value === null ? [] : (kappa?.value ?? [])));
  return {
    name: "Average",
    reviewers: rows[0]!.reviewers.map((_, place) => {
      const own = rows.map(({ reviewers }) => reviewers[place]!);
      const shares = own.flatMap(({ share }) => share ?? []);
      return { lines: sum(own.map(({ lines }) => lines)), share: shares.length === 0 ? null : mean(shares) };
    }),
    kappa:
      rows[0]!.kappa === null
        ? null
        : kappas.length === 0
          ? { value: null, reason: "no κ is defined" }
          : { value: mean(kappas) },
  };
}

interface DecidedText {
  readonly weight: number;
  readonly isUnchangedSample: boolean;
  readonly isWrong: boolean;
  readonly isFlagged: boolean;
}

function detection(
  name: string,
  texts: readonly { readonly sample: AuditedSample; readonly text: AuditedText }[],
  decisions: Decisions,
): Detection {
  const isUnchanged = ({ sample }: (typeof texts)[number]) => sample.correction === "none";
  const given = texts.filter(({ text }) => decisions.has(text.id));
  // Changed and unchanged samples were drawn separately, so each text is weighted by its stratum.
  const weightOf = [true, false].map((unchanged) => {
    const ofKind = (one: (typeof texts)[number]) => isUnchanged(one) === unchanged;
    return texts.filter(ofKind).length / given.filter(ofKind).length;
  });
  const decided = given.map(
    (one): DecidedText => ({
      weight: weightOf[isUnchanged(one) ? 0 : 1]!,
      isUnchangedSample: isUnchanged(one),
      isWrong: decisions.get(one.text.id) === false,
      isFlagged: one.text.corrected !== null,
    }),
  );
  const flagged = decided.filter(({ isFlagged }) => isFlagged);
  const found = flagged.filter(({ isWrong }) => isWrong).length;
  const recall = decided.some(({ isUnchangedSample }) => isUnchangedSample) ? recallOf(decided) : null;
  return {
    name,
    flagged: flagged.length,
    precision:
      flagged.length === 0
        ? null
        : { value: found / flagged.length, interval: wilsonInterval(found, flagged.length, 0.95) },
    recall,
    recallInterval: recall === null ? null : recallInterval(decided),
  };
}

/** Null if no text was unacceptable. */
function recallOf(decided: readonly DecidedText[]): number | null {
  const wrong = decided.filter(({ isWrong }) => isWrong);
  const weighed = (rows: readonly DecidedText[]) => sum(rows.map(({ weight }) => weight));
  return wrong.length === 0 ? null : weighed(wrong.filter(({ isFlagged }) => isFlagged)) / weighed(wrong);
}

/** Resampled within the two strata, because one missed text among few unchanged ones may have a large weight. */
function recallInterval(decided: readonly DecidedText[]): readonly [number, number] | null {
  const strata = [true, false].map((unchanged) =>
    decided.filter(({ isUnchangedSample }) => isUnchangedSample === unchanged),
  );
  if (strata.some(({ length }) => length > 0 && length < FEWEST_LINES)) return null;
  return percentileBootstrap({
    draw: (random) =>
      strata.flatMap((own) => Array.from(drawPositions(own.length)(random), (position) => own[position]!)),
    statistic: (drawn) => {
      const value = recallOf(drawn);
      return value === null ? { value, reason: "nothing drawn was unacceptable" } : { value };
    },
    random: seededRandom(1),
    resamples: RESAMPLES,
  }).interval;
}

const FEWEST_LINES = 5;
const RESAMPLES = 1000;

/** A line for a reviewer to fill in; `decision` is yes or no. */
export type SheetRow = Readonly<Record<"id" | "title" | "summary" | "question" | "what" | "text" | "decision", string>>;

export interface AuditSheets {
  /** Texts before refinement, with changed and unchanged ones mixed: is each of them acceptable? */
  readonly originals: readonly SheetRow[];
  /**
   * Corrected samples: is each right now? Give this sheet out after the originals, since it shows which ones changed.
   */
  readonly corrections: readonly SheetRow[];
}

export interface SheetOptions {
  /** At most this many changed samples, and as many unchanged ones, drawn at random. */
  readonly changed: number;
  readonly unchanged: number;
  readonly random: Random;
}

/** Mixes in unchanged samples, in random order, so that errors that refinement missed can be counted as well. */
export function auditSheets(samples: readonly AuditedSample[], options: SheetOptions): AuditSheets {
  const { random } = options;
  const draw = (of: readonly AuditedSample[], count: number) => shuffled(of, random).slice(0, count);
  const changed = draw(
    samples.filter(({ correction }) => correction !== "none"),
    options.changed,
  );
  const unchanged = draw(
    samples.filter(({ correction }) => correction === "none"),
    options.unchanged,
  );
  return {
    originals: shuffled([...changed, ...unchanged], random).flatMap((sample) =>
      sample.texts.map(({ id, answer, original }) =>
        rowOf(sample, id, answer < 0 ? "question" : `answer ${answer + 1}`, original),
      ),
    ),
    corrections: changed.map((sample) => {
      const { question, answers } = sample.refined;
      const text = [question, ...answers.map((answer, index) => `${index + 1}. ${answer}`)].join("\n");
      return rowOf(sample, sample.id, "corrected sample", text);
    }),
  };
}

function rowOf({ document, question }: AuditedSample, id: string, what: string, text: string): SheetRow {
  return { id, title: document.title, summary: document.summary, question, what, text, decision: "" };
}

/** The kinds of documents, by the names that the filter and reviewers use. */
export const DOCUMENT_KINDS = ["narrative", "movie", "play", "non-fiction", "mismatched summary"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface AuditedDocument {
  readonly id: string;
  /** The pipeline's verdict: the reason for the removal, or "narrative". */
  readonly pipeline: DocumentKind;
  /** The decision of each reviewer; undefined for a line left empty. */
  readonly reviewers: readonly (DocumentKind | undefined)[];
}

/** How the pipeline compares with the first reviewer on one kind of document. */
export interface KindAgreement {
  readonly kind: DocumentKind;
  readonly documents: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** Agreement of the first two reviewers on this kind against all others; null with one reviewer. */
  readonly kappa: Statistic | null;
}

/**
 * LiteraryQA's Table 11: precision, recall and F1 of each kind of document that is filtered out, and the reviewers'
 * agreement.
 */
export function documentAudit(documents: readonly AuditedDocument[]): KindAgreement[] {
  const decided = documents.filter(({ reviewers }) => reviewers[0] !== undefined);
  return DOCUMENT_KINDS.slice(1).flatMap((kind) => {
    const isSaid = decided.filter(({ pipeline }) => pipeline === kind);
    const isTrue = decided.filter(({ reviewers }) => reviewers[0] === kind);
    if (isSaid.length === 0 && isTrue.length === 0) return [];
    const both = isSaid.filter(({ reviewers }) => reviewers[0] === kind).length;
    const precision = isSaid.length === 0 ? null : both / isSaid.length;
    const recall = isTrue.length === 0 ? null : both / isTrue.length;
    const f1 = isSaid.length + isTrue.length === 0 ? null : (2 * both) / (isSaid.length + isTrue.length);
    const twice = decided.filter(({ reviewers }) => reviewers[1] !== undefined);
    const marks = (place: number) => twice.map(({ reviewers }) => Number(reviewers[place] === kind));
    const kappa = twice.length === 0 ? null : cohenKappa(marks(0), marks(1));
    return [{ kind, documents: isTrue.length, precision, recall, f1, kappa }];
  });
}
