import type { SectionedReport, TitledTable } from "../../api/evaluations.ts";
import { groupBy } from "../../core/group-by.ts";
import { countOf, firstFew } from "../../core/wording.ts";
import type { JudgeHealth } from "../../stats/judge-health/judge-health.ts";
import type { OtherScale, StrayValue } from "../../stats/meta-evaluation/doubtful-values.ts";
import type { Figure, JudgeTrust, TrustPlan, TrustStudy } from "../../stats/meta-evaluation/trust-study.ts";
import { listSection, tableSection, textSection } from "../report-forms.ts";

export interface TrustReport {
  readonly table: string;
  readonly human: readonly string[];
  readonly study: TrustStudy;
  /**
   * For embedded judges: their agreement with people on held-out texts, and whether they seem to have been trained on
   * these.
   */
  readonly learned: readonly { readonly judge: string; readonly heldBack: Figure; readonly isSuspected: boolean }[];
  readonly health: readonly JudgeHealth[];
  /**
   * Where the map to people's scale was written, and the error to expect for a new text; null if none was requested.
   */
  readonly calibration: {
    readonly file: string;
    readonly judges: readonly {
      readonly judge: string;
      readonly texts: number;
      readonly halfWidth: number;
      readonly level: number;
    }[];
  } | null;
  /** US dollars per judgement, if the tables state them. */
  readonly costs: Readonly<Record<string, number>>;
  /** Texts with a score that was agreed on after raters disagreed. */
  readonly settled: number;
  /** Texts without a rating, which were left out. */
  readonly unrated: number;
  /** For each rater known by name, how many of the other texts have no rating. */
  readonly missingRatings: readonly { readonly rater: string; readonly texts: number }[];
  /** Raters who were left out because they share no text with the others and use another range of numbers. */
  readonly apart: readonly (RaterPanel & { readonly from: RaterPanel })[];
  /** Names that belong to one and the same text. */
  readonly sameTexts: readonly (readonly string[])[];
  /**
   * If several rows of a text are ratings without named raters: the column that seems to name them; null if all is
   * clear.
   */
  readonly whoRated: { readonly column: string | null } | null;
  /** Columns of numbers that were assumed to be judges because none were named, and those that were not. */
  readonly columns: {
    readonly taken: readonly string[];
    readonly notJudges: readonly { readonly column: string; readonly why: string }[];
  };
  readonly unmatched: readonly { readonly judge: string; readonly lines: number }[];
  readonly settings: { readonly seed: number; readonly resamples: number; readonly margin: number };
}

/**
 * Raters who have texts in common, directly or through others; how many texts they rated, and their lowest and
 * highest rating.
 */
export interface RaterPanel {
  readonly raters: readonly string[];
  readonly texts: number;
  readonly range: readonly [number, number];
}

export function trustDocument(report: TrustReport): object {
  const { study, ...about } = report;
  return { ...about, ...study, answer: trustAnswer(report) };
}

export function sectionedTrust(report: TrustReport): SectionedReport {
  return {
    title: "Whom to trust",
    sections: [
      { heading: null, parts: trustAnswer(report).map((text) => ({ kind: "text", text, strong: true })) },
      textSection("What was compared", trustNotes(report)),
      ...trustTables(report).map(tableSection),
      ...listSection("Warnings", trustWarnings(report)),
    ],
  };
}

/** The answer in two sentences: which judge to trust for what, and what would settle the rest. */
export function trustAnswer({ study, learned }: TrustReport): string[] {
  const known = learned.find(({ judge, isSuspected }) => isSuspected && judge === study.plan.best);
  if (known) {
    const others =
      "What it reaches on texts it has not seen cannot be told from these: have people rate some that were written since.";
    return [learnedAnswer(known, study), others];
  }
  const kinds = study.byKind;
  const isSplit = new Set(kinds.map(({ plan }) => plan.best)).size > 1;
  const answer = isSplit ? splitAnswer(study) : wholeAnswer(study);
  return [hasDoubtfulValues(study) ? asItStands(answer) : answer, openAnswer(study.plan, study)];
}

/** Values that may not be ratings, or ratings on two scales; every figure depends on them. */
function hasDoubtfulValues({ strays, otherScales }: TrustStudy): boolean {
  return otherScales.length > 0 || strays.some(({ kind }) => kind !== "fraction");
}

function asItStands(answer: string): string {
  return `As the table stands, with the values that the warnings name, ${answer[0]!.toLowerCase()}${answer.slice(1)}`;
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
  const open = doPeopleAgree(study) ? standingIn(best) : "";
  const alike =
    study.ceiling.spearman.value === null
      ? " (one rating per text: whether other people would agree is not known)"
      : "";
  return `Trust ${best.judge} ${purpose}: it agrees with people at ρ = ${inBrief(best.spearman)}${alone}${beside}${alike}${open}.`;
}

/** If people do not demonstrably agree with each other, being as close to one as another is means nothing. */
function doPeopleAgree({ ceiling: { spearman, alpha } }: TrustStudy): boolean {
  return [spearman, alpha].every(({ value, interval }) => value === null || interval === null || interval[0] > 0);
}

const FOR_AVERAGES = "for averages over many texts, not for a single one";

function splitAnswer({ byKind, judges }: TrustStudy): string {
  const parts = byKind.map(({ kind, plan }) => {
    const figure = judges.find(({ judge }) => judge === plan.best)?.kinds.find((one) => one.kind === kind)?.spearman;
    const isShown = figure?.interval && figure.interval[0] > 0;
    return `for ${kind} ${isShown ? plan.best : "none yet"}${figure ? ` (${isShown ? "" : `${plan.best}, `}ρ = ${inBrief(figure)})` : ""}`;
  });
  return `Trust ${parts.join(", ")}.`;
}

/** What the agreement is sufficient for: replacing a person takes more than putting texts in order. */
function purposeOf({ alternative, spearman }: JudgeTrust): string {
  if (alternative?.passes) return "in place of a person";
  return (spearman.interval?.[0] ?? 0) > MODERATE ? "to put texts in order" : FOR_AVERAGES;
}

/** Too few texts to decide whether a judge can replace a person are not the judge's failure. */
function standingIn({ alternative }: JudgeTrust): string {
  if (alternative?.outcome !== "cannot be told") return "";
  const has = Math.min(...alternative.raters.map(({ n }) => n));
  return ` (whether it may stand in for a person cannot be told from ${countOf(has, "text")}; ${textsToStandIn(alternative)})`;
}

/**
 * Assumes the judge's current distance: one that is behind most raters by the margin or more would not pass with any
 * number of texts.
 */
function textsToStandIn({ textsNeeded, raters }: NonNullable<JudgeTrust["alternative"]>): string {
  if (textsNeeded !== null) return `about ${countOf(textsNeeded, "text")} that all rated would tell`;
  const isNear = raters.filter(({ p }) => p < 0.5).length >= raters.length / 2;
  return isNear
    ? "if it is as close as it looks, it would take thousands of texts"
    : "if it is as close as it looks, no number of texts would let it";
}

/** On short stories, one reader and the mean of four others correlate at about this. */
const MODERATE = 0.3;

function isUnshown({ spearman }: JudgeTrust): boolean {
  return spearman.value === null || spearman.interval === null || spearman.interval[0] <= 0;
}

function openAnswer(plan: TrustPlan, { judges }: TrustStudy): string {
  const best = judges.find(({ judge }) => judge === plan.best)!;
  if (best.spearman.value === null) {
    const reasons = judges.map(({ judge, spearman }) => `${judge}: ${spearman.reason}`);
    return `There is no correlation to plan from (${reasons.join("; ")}).`;
  }
  const precise =
    best.spearman.interval === null
      ? plan.second !== null && plan.difference.reason === best.spearman.reason
        ? "the same holds for how sure its agreement is"
        : `how sure its agreement is cannot be said (${best.spearman.reason ?? "no resamples were drawn"})`
      : plan.textsForPrecision === null
        ? `more than ${plan.mostTried} texts would be needed to know its agreement to ± 0.1`
        : plan.textsForPrecision <= best.n
          ? `its agreement is known to ± 0.1`
          : `${countOf(plan.textsForPrecision - best.n, "more text")} (${plan.textsForPrecision} in all) would give its agreement to ± 0.1`;
  const runs = plan.withRuns
    ? `, and ${plan.withRuns.runs} runs of each text would raise its agreement to about ${decimal(plan.withRuns.spearman)}`
    : "";
  const { difference, second } = plan;
  if (second === null) {
    const others = judges.filter(({ judge }) => judge !== plan.best);
    const reasons = others.map(({ judge, spearman }) => `${judge}: ${spearman.reason}`);
    const alone =
      others.length === 0
        ? "There is no other judge to compare it with"
        : `No other judge can be compared with it (${reasons.join("; ")})`;
    return `${alone}; ${precise}${runs}.`;
  }
  // A bound that is certainly above 0 must not be displayed as 0.
  const isNear = difference.interval?.some((end) => end !== 0 && decimal(end) === "0.00");
  const range = difference.interval
    ? `; 95 %: ${difference.interval.map((end) => decimal(end, isNear ? 3 : 2)).join(" to ")}`
    : "";
  const gap = `by ${decimal(difference.value ?? 0)}${range}`;
  if (plan.isSettled) return `That it is better than ${second} is settled (${gap}); ${precise}${runs}.`;
  return `Whether it is better than ${second} is open (${gap}): ${whatWouldSettle(plan)}; ${precise}${runs}.`;
}

function whatWouldSettle({ difference, textsToTell, textsCompared, mostTried }: TrustPlan): string {
  if (difference.interval === null) return difference.reason ?? "no resamples were drawn";
  if (textsToTell === null) return `not even ${mostTried} texts would settle a difference this small`;
  return `about ${countOf(textsToTell - textsCompared, "more text")} (${textsToTell} in all) would settle it four times in five`;
}

/** Describes what was compared, in one sentence. */
export function trustNotes({
  table,
  human,
  study,
  unmatched,
  settled,
  unrated,
  calibration,
  columns,
}: TrustReport): string[] {
  const { ceiling } = study;
  const people =
    ceiling.spearman.value === null
      ? `One rating per text, so how well people agree is not known.`
      : `${countOf(ceiling.raters, "rater")}, ${countOf(ceiling.texts, "text")} rated by two or more: one person agrees with the mean of the others at ρ = ${inBrief(ceiling.spearman)}; Krippendorff's α with interval distances ${inBrief(ceiling.alpha)}; κ of two people with quadratic weights ${inBrief(ceiling.kappa)}.`;
  return [
    `${countOf(study.texts, "text")} in ${table}; people: ${human.slice(0, 8).join(", ")}${human.length > 8 ? " …" : ""}.`,
    people,
    ...(columns.taken.length > 0
      ? [`Assumed to be judges, because --judge names none: ${firstFew(columns.taken, 8)}.`]
      : []),
    ...columns.notJudges.map(({ column, why }) => `Not taken for a judge: ${column}, since ${why}.`),
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
      ({ judge, lines }) =>
        `${countOf(lines, "score")} of ${judge} ${lines === 1 ? "names no text of the table and was" : "name no text of the table and were"} left out.`,
    ),
  ];
}

export function trustTables({ study, health, costs }: TrustReport): TitledTable[] {
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
        "for a person",
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
        judge.alternative && doPeopleAgree(study) ? substitutes(judge.alternative) : "–",
        costs[judge.judge] === undefined ? "–" : costs[judge.judge]!.toPrecision(2),
      ]),
      note: "Intervals are 95 %, over texts, or over prompts where given. “Beside people”: with the mean of all raters but one, as the people's own figure. κ has quadratic weights. “For a person”: whether it may stand in for one by the alternative-annotator test, and for how many of the raters; it takes three raters with 30 texts each who are shown to agree.",
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

function substitutes({ outcome, raters }: NonNullable<JudgeTrust["alternative"]>): string {
  const said = { passes: "yes", fails: "no", "cannot be told": "cannot be told" }[outcome];
  return `${said} (${raters.filter(({ isWon }) => isWon).length} of ${raters.length})`;
}

export function trustWarnings({ study, apart, missingRatings, sameTexts, whoRated }: TrustReport): string[] {
  const panel = ({ raters, texts, range }: RaterPanel) =>
    `${firstFew(raters, 5)} (${countOf(texts, "text")}, rated ${range.join(" to ")})`;
  const leftOut = apart.map(
    (one) =>
      `Left out: ${panel(one)}. No text is shared with ${panel(one.from)}, and the range is another, so the ratings cannot be put together.`,
  );
  const moved = study.judges.filter(({ isMoved }) => isMoved).map(({ judge }) => judge);
  const scales =
    moved.length === 0
      ? []
      : [
          `On another scale than people: ${moved.join(", ")}. For κ and the alternative-annotator test, mean and spread were matched to the raters'.`,
        ];
  const own = study.judges.flatMap(({ judge, carriedBy, carriedByText, spearman, pearson, missing, reliability }) => [
    ...(carriedByText
      ? [
          `One text carries r of ${judge}: without ${carriedByText.text} it is ${decimal(carriedByText.without)} instead of ${decimal(pearson.value ?? 0)}.`,
        ]
      : []),
    ...(carriedBy
      ? [
          `One system carries the correlation of ${judge}: without ${carriedBy.system} ρ is ${decimal(carriedBy.without)} instead of ${decimal(spearman.value ?? 0)}.`,
        ]
      : []),
    ...(spearman.interval && spearman.interval[1] < 0
      ? [
          `${judge} is against people (ρ = ${inBrief(spearman)}): if its lower scores are the better ones, turn them round, for instance to 100 less the score.`,
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
  const mixed = [
    ...(whoRated
      ? [
          `The ratings of a text are taken in the order of their rows, so that “rating 1” may be another person each time: ${whoRated.column ? `say who rated with --rater "${whoRated.column}"` : "say who rated with --rater, if the table names them"}.`,
        ]
      : []),
    ...(whoRated === null && areRatersMixed(study)
      ? [
          "Ratings of one text differ by more than ratings of different texts do. That happens where strict and lenient people take turns in the columns: see that each column is one person, or that --rater says who rated.",
        ]
      : []),
  ];
  const twice =
    sameTexts.length === 0
      ? []
      : [
          `The same text stands under several names and counts as often: ${firstFew(
            sameTexts.map((names) => names.join(" = ")),
            3,
          )}. Keep one of each.`,
        ];
  const gaps =
    missingRatings.length === 0
      ? []
      : [
          `Without a rating: ${firstFew(
            missingRatings.map(({ rater, texts }) => `${rater} for ${countOf(texts, "text")}`),
            8,
          )}; people's figures are of the ratings there are.`,
        ];
  const open = study.judges.flatMap(({ judge, alternative }) =>
    alternative?.outcome === "cannot be told" ? [`${judge} (${textsToStandIn(alternative)})`] : [],
  );
  const standing =
    open.length === 0 || people.length > 0
      ? []
      : [`Whether these may stand in for a person cannot be told from these texts: ${open.join("; ")}.`];
  return [
    ...leftOut,
    ...study.otherScales.map(otherScaleWarning),
    ...strayWarnings(study.strays),
    ...twice,
    ...people,
    ...mixed,
    ...gaps,
    ...own,
    ...scales,
    ...standing,
  ];
}

/**
 * Independent raters of one scale may not agree at all, but they do not disagree more about one text than about any
 * two texts.
 */
function areRatersMixed(study: TrustStudy): boolean {
  const { alpha } = study.ceiling;
  return !hasDoubtfulValues(study) && alpha.interval !== null && alpha.interval[1] < 0;
}

function otherScaleWarning({ rater, range, others }: OtherScale): string {
  return `${rater} rates from ${range.join(" to ")}, all others from ${others.join(" to ")}: if these are two scales, bring them to one first, since the mean of both is hardly more than one of them.`;
}

function strayWarnings(strays: readonly StrayValue[]): string[] {
  return [...groupBy(strays, ({ of, kind }) => `${kind} ${of}`).values()].map((found) => {
    const { of, others, kind } = found[0]!;
    if (kind === "apart") return apartWarning(found);
    const values = firstFew(
      found.map(({ value, text }) => `${value} for ${text}`),
      3,
    );
    const why =
      kind === "far" ? `far outside its other values (${others.join(" to ")})` : "where all others are whole numbers";
    return `${of} has ${values}, ${why}: check that it is no slip, since every figure depends on it.`;
  });
}

/** Numbers that a spreadsheet makes of dates from 1902 to 2091. */
const DATES = [1000, 70_000] as const;

function apartWarning(found: readonly StrayValue[]): string {
  const { of, others } = found[0]!;
  const values = [...new Set(found.map(({ value }) => value))];
  const areDates = values.every((value) => value >= DATES[0] && value <= DATES[1]);
  const advice =
    values.length === 1
      ? "if it stands for no rating, leave those cells empty"
      : areDates
        ? "a spreadsheet has perhaps made dates of them, so enter them again"
        : "check them";
  return `${of} has ${firstFew(values.map(String), 3)} for ${countOf(found.length, "text")}, far from all its other values (${others.join(" to ")}): ${advice}, since every figure depends on it.`;
}

export function inBrief({ value, interval }: Figure): string {
  if (value === null) return "–";
  return interval ? `${decimal(value)} (${decimal(interval[0])} to ${decimal(interval[1])})` : decimal(value);
}

function decimal(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}
