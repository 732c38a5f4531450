import { seededRandom } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { wilsonInterval } from "../../stats/distribution/wilson-interval.ts";
import { cohenKappa, type Statistic } from "../../stats/index.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import type { AuditedSample, AuditedText, Correction } from "./audited-sample.ts";

/** One reviewer's decisions by the id of the line: true for yes. Lines left empty are absent. */
export type Decisions = ReadonlyMap<string, boolean>;

/** Of some lines: what share each reviewer said yes to, and how far the reviewers agree. */
export interface Acceptance {
  readonly name: string;
  readonly reviewers: readonly { readonly lines: number; readonly share: number | null }[];
  /** Of the first two, over the lines that both decided. */
  readonly kappa: Statistic | null;
}

/** Did refinement find what is unacceptable? By the first reviewer's word. */
export interface Detection {
  readonly name: string;
  readonly flagged: number;
  readonly precision: { readonly value: number; readonly interval: readonly [number, number] } | null;
  /** Weighs the unchanged samples by how many each stands for. Null where no unchanged one was reviewed. */
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
  // Changed and unchanged samples were drawn apart, so a missed text stands for as many as its kind of sample does.
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

/** Null where nothing was unacceptable. */
function recallOf(decided: readonly DecidedText[]): number | null {
  const wrong = decided.filter(({ isWrong }) => isWrong);
  const weighed = (rows: readonly DecidedText[]) => sum(rows.map(({ weight }) => weight));
  return wrong.length === 0 ? null : weighed(wrong.filter(({ isFlagged }) => isFlagged)) / weighed(wrong);
}

/** Changed and unchanged samples are drawn apart here too: one missed text among few unchanged ones may stand for many. */
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
