import { countOf } from "../../core/wording.ts";
import type { JudgeHealth } from "../../stats/judge-health/judge-health.ts";
import type { Figure, JudgeTrust, TrustPlan, TrustStudy } from "../../stats/meta-evaluation/trust-study.ts";
import { pValue } from "./agreement-wording.ts";
import type { ReportTable } from "./report-table.ts";

export interface TrustReport {
  readonly table: string;
  readonly human: readonly string[];
  readonly study: TrustStudy;
  /** Embedded judges: their agreement with people on texts held back, and whether they seem to have learnt from these. */
  readonly learned: readonly { readonly judge: string; readonly heldBack: Figure; readonly isSuspected: boolean }[];
  readonly health: readonly JudgeHealth[];
  /** Where the map to people's scale was written, and how far a new text may be off; null where none was asked for. */
  readonly calibration: {
    readonly file: string;
    readonly judges: readonly {
      readonly judge: string;
      readonly texts: number;
      readonly halfWidth: number;
      readonly level: number;
    }[];
  } | null;
  /** US dollars per judgement, where the tables say. */
  readonly costs: Readonly<Record<string, number>>;
  /** Texts whose score was settled on after raters disagreed. */
  readonly settled: number;
  /** Texts without a rating, which were left out. */
  readonly unrated: number;
  readonly unmatched: readonly { readonly judge: string; readonly lines: number }[];
  readonly settings: { readonly seed: number; readonly resamples: number; readonly margin: number };
}

export function trustDocument(report: TrustReport): object {
  const { study, ...about } = report;
  return { ...about, ...study, answer: trustAnswer(report) };
}

/** The answer in two sentences: whom to trust for what, and what would settle the rest. */
export function trustAnswer({ study, learned }: TrustReport): string[] {
  const known = learned.find(({ judge, isSuspected }) => isSuspected && judge === study.plan.best);
  if (known) {
    const others =
      "What it reaches on texts it has not seen cannot be told from these: have people rate some that were written since.";
    return [learnedAnswer(known, study), others];
  }
  const kinds = study.byKind;
  const isSplit = new Set(kinds.map(({ plan }) => plan.best)).size > 1;
  return [isSplit ? splitAnswer(study) : wholeAnswer(study), openAnswer(study.plan, study)];
}

function learnedAnswer({ judge, heldBack }: TrustReport["learned"][number], { judges }: TrustStudy): string {
  const here = judges.find((one) => one.judge === judge)!.spearman;
  return `${judge} agrees with people here at ρ = ${inBrief(here)}, but its card has ${inBrief(heldBack)} for texts held back: it has probably learnt from these very texts, so nothing follows for others, and its card is what to go by.`;
}

function wholeAnswer(study: TrustStudy): string {
  const best = study.judges.find(({ judge }) => judge === study.plan.best)!;
  const beside =
    study.ceiling.spearman.value === null
      ? ""
      : `, where one person agrees with the others at ${decimal(study.ceiling.spearman.value)} and it agrees with them at ${inBrief(best.besidePeople)}`;
  if (isUnshown(best)) {
    return `None of these judges is shown to agree with people on these texts: the nearest is ${best.judge} at ρ = ${inBrief(best.spearman)}${beside}.`;
  }
  const alone = best.carriedBy
    ? `, and at ${decimal(best.carriedBy.without)} without the texts of ${best.carriedBy.system}, which carry it`
    : "";
  const purpose = doPeopleAgree(study) ? purposeOf(best) : FOR_AVERAGES;
  return `Trust ${best.judge} ${purpose}: it agrees with people at ρ = ${inBrief(best.spearman)}${alone}${beside}.`;
}

/** Where people are not shown to agree with each other, to be as close to one as another is says nothing. */
function doPeopleAgree({ ceiling: { spearman } }: TrustStudy): boolean {
  return spearman.value === null || spearman.interval === null || spearman.interval[0] > 0;
}

const FOR_AVERAGES = "for averages over many texts, not for a single one";

function splitAnswer({ byKind, judges }: TrustStudy): string {
  const parts = byKind.map(({ kind, plan }) => {
    const figure = judges.find(({ judge }) => judge === plan.best)?.kinds.find((one) => one.kind === kind)?.spearman;
    const isShown = figure?.interval && figure.interval[0] > 0;
    return `for ${kind} ${isShown ? plan.best : "nobody yet"}${figure ? ` (${isShown ? "" : `${plan.best}, `}ρ = ${inBrief(figure)})` : ""}`;
  });
  return `Trust ${parts.join(", ")}.`;
}

/** What the agreement is good for: standing in for a person is more than putting texts in order. */
function purposeOf({ alternative, spearman }: JudgeTrust): string {
  if (alternative?.passes) return "in place of a person";
  return (spearman.interval?.[0] ?? 0) > MODERATE ? "to put texts in order" : FOR_AVERAGES;
}

/** One reader with the mean of four others reaches about this on short stories. */
const MODERATE = 0.3;

function isUnshown({ spearman }: JudgeTrust): boolean {
  return spearman.value === null || spearman.interval === null || spearman.interval[0] <= 0;
}

function openAnswer(plan: TrustPlan, { texts, judges }: TrustStudy): string {
  const best = judges.find(({ judge }) => judge === plan.best)!;
  const precise =
    plan.textsForPrecision === null
      ? `more than ${plan.mostTried} texts would be needed to know its agreement to ± 0.1`
      : plan.textsForPrecision <= best.n
        ? `its agreement is known to ± 0.1`
        : `${plan.textsForPrecision - best.n} more texts (${plan.textsForPrecision} in all) would give its agreement to ± 0.1`;
  const runs = plan.withRuns
    ? `, and ${plan.withRuns.runs} runs of each text would raise its agreement to about ${decimal(plan.withRuns.spearman)}`
    : "";
  if (plan.second === null) return `There is no other judge to compare it with; ${precise}${runs}.`;
  const gap = `${decimal(plan.difference.value ?? 0)}${plan.p === null ? "" : `, p ${withEquals(pValue(plan.p))}`}`;
  if (plan.isSettled) return `That it is better than ${plan.second} is settled (by ${gap}); ${precise}${runs}.`;
  const needed =
    plan.textsToTell === null
      ? `not even ${plan.mostTried} texts would settle a difference this small`
      : `about ${Math.max(1, plan.textsToTell - texts)} more texts (${Math.max(plan.textsToTell, texts + 1)} in all) would settle it four times in five`;
  return `Whether it is better than ${plan.second} is open (by ${gap}): ${needed}; ${precise}${runs}.`;
}

function withEquals(p: string): string {
  return p.startsWith("<") ? p : `= ${p}`;
}

/** What was compared, in one sentence. */
export function trustNotes({ table, human, study, unmatched, settled, unrated, calibration }: TrustReport): string[] {
  const { ceiling } = study;
  const people =
    ceiling.spearman.value === null
      ? `One rating per text, so how well people agree is not known.`
      : `${countOf(ceiling.raters, "rater")}, ${countOf(ceiling.texts, "text")} rated by two or more: one person agrees with the mean of the others at ρ = ${inBrief(ceiling.spearman)}; Krippendorff's α ${inBrief(ceiling.alpha)}; κ of two people ${inBrief(ceiling.kappa)}.`;
  return [
    `${countOf(study.texts, "text")} in ${table}; people: ${human.slice(0, 8).join(", ")}${human.length > 8 ? " …" : ""}.`,
    people,
    ...(settled > 0
      ? [`The adjudicated score of ${countOf(settled, "text")} stands in place of the mean of the raters.`]
      : []),
    ...(unrated > 0
      ? [`${countOf(unrated, "text")} without a rating ${unrated === 1 ? "was" : "were"} left out.`]
      : []),
    ...(calibration?.judges ?? []).map(
      ({ judge, texts, halfWidth, level }) =>
        `${judge} on people's scale: learnt from ${countOf(texts, "text")}, a new one within ± ${decimal(halfWidth)} with a chance of ${100 * level} %, in ${calibration!.file}.`,
    ),
    ...unmatched.map(
      ({ judge, lines }) => `${countOf(lines, "score")} of ${judge} name no text of the table and were left out.`,
    ),
  ];
}

export function trustTables({ study, health, costs }: TrustReport): ReportTable[] {
  const hasKinds = study.judges.some(({ kinds }) => kinds.length > 0);
  return [
    {
      title: "Agreement with people",
      headings: [
        "judge",
        "texts",
        "ρ with the mean",
        "τ-b",
        "r",
        "ρ beside people",
        "κ with one",
        "stands in for",
        "US$ each",
      ],
      rows: study.judges.map((judge) => [
        judge.judge,
        String(judge.n),
        inBrief(judge.spearman),
        inBrief(judge.kendall),
        inBrief(judge.pearson),
        inBrief(judge.besidePeople),
        inBrief(judge.kappa),
        judge.alternative
          ? `${judge.alternative.raters.filter(({ isWon }) => isWon).length} of ${countOf(judge.alternative.raters.length, "rater")}${judge.alternative.passes ? "" : ", fails"}`
          : "–",
        costs[judge.judge] === undefined ? "–" : costs[judge.judge]!.toPrecision(2),
      ]),
      note: "Intervals are 95 %, over texts, or over prompts where given. “Beside people”: with the mean of all raters but one, as the people's own figure. “Stands in for”: the alternative-annotator test.",
    },
    ...(hasKinds
      ? [
          {
            title: "By kind of text",
            headings: ["kind", "judge", "texts", "ρ with the mean"],
            rows: study.judges.flatMap(({ judge, kinds }) =>
              kinds.map(({ kind, n, spearman }) => [kind, judge, String(n), inBrief(spearman)]),
            ),
          },
        ]
      : []),
    {
      title: "Bias and steadiness",
      headings: ["judge", "check", "state", "n", "figure"],
      rows: health.flatMap(({ judge, findings }) =>
        findings
          .filter(({ state }) => state !== "unknown")
          .map(({ check, state, n, figure }) => [
            judge,
            check,
            state,
            String(n),
            figure ? `${figure.name} ${inBrief({ value: figure.value, interval: figure.interval })}` : "–",
          ]),
      ),
    },
  ].filter(({ rows }) => rows.length > 0);
}

export function trustWarnings({ study }: TrustReport): string[] {
  const moved = study.judges.filter(({ isMoved }) => isMoved).map(({ judge }) => judge);
  const scales =
    moved.length === 0
      ? []
      : [
          `On another scale than people: ${moved.join(", ")}. For κ and the alternative-annotator test, mean and spread were matched to the raters'.`,
        ];
  const own = study.judges.flatMap(({ judge, carriedBy, spearman, missing, reliability }) => [
    ...(carriedBy
      ? [
          `One system carries the correlation of ${judge}: without ${carriedBy.system} ρ is ${decimal(carriedBy.without)} instead of ${decimal(spearman.value ?? 0)}.`,
        ]
      : []),
    ...(missing > 0 ? [`${judge} gave ${countOf(missing, "text")} no score; its figures are of the others.`] : []),
    ...(reliability !== null
      ? [
          `Of ${judge}'s scores ${Math.round(100 * reliability)} % of the variance of one run lies between texts; the rest is noise.`,
        ]
      : []),
  ]);
  const people = doPeopleAgree(study)
    ? []
    : [
        "People are not shown to agree with each other on these texts, so to be as close to one as another is says nothing of a judge.",
      ];
  return [...people, ...own, ...scales];
}

export function inBrief({ value, interval }: Figure): string {
  if (value === null) return "–";
  return interval ? `${decimal(value)} (${decimal(interval[0])} to ${decimal(interval[1])})` : decimal(value);
}

function decimal(value: number): string {
  const text = value.toFixed(2);
  return text === "-0.00" ? "0.00" : text.replace("-", "−");
}
