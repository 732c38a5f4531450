import { readFile } from "node:fs/promises";
import type { TrustCheck, TrustCheckName } from "../../../api/trust.ts";
import { assetPath } from "../../../core/assets.ts";
import { sum, wilsonInterval } from "../../../stats/distribution.ts";
import { checkSelfPreference, FEWEST_TEXTS, isWriter } from "../../../stats/judge-health/biases.ts";
import { type BlindVote, type JudgeHealth, judgeHealth } from "../../../stats/judge-health/judge-health.ts";
import { byItem, type CheckName, type Judgement } from "../../../stats/judge-health/judgement.ts";
import type { FiledCheck } from "./trust-files.ts";

export type EmbeddedJudge = "crowd" | "editor" | "grader";

/** The folder of each juror's card, and the row on it that says how well the juror agrees with people. */
const CARDS = {
  crowd: { folder: "crowd", agreement: "| readers: stories to prompts, Spearman, nested |" },
  editor: { folder: "editor", agreement: "| professionals' scores, Spearman, nested |" },
  grader: { folder: "grader", agreement: null },
} as const;

const SMALL_MOVE = 0.05;
const FEW_NOTICED = 0.5;
/** A correlation above chance is not yet agreement: one reader and the mean of four others reach about this. */
const MODERATE = 0.3;
const NONE = { command: null, requests: [], canPlan: false } as const;

/** The measurements on an embedded judge's card. They were made on held-back texts, not on this book. */
export async function cardChecks(judge: EmbeddedJudge): Promise<TrustCheck[]> {
  const card = await readCard(CARDS[judge].folder);
  return [
    {
      check: "repeatability",
      state: "sound",
      n: 0,
      figure: null,
      source: "card",
      ...NONE,
      detail: "The same text always gets the same score: nothing in it is left to chance.",
    },
    lengthCheck(card),
    notApplicable("position-bias", "It reads one text at a time: there is no first and second."),
    notApplicable("self-preference", "It writes nothing, so it cannot favour its own writing."),
    notApplicable("contamination", "It knows no books: the texts it learnt from are listed on its card."),
    stressCheck(card),
    await agreementCheck(judge, card),
  ];
}

function notApplicable(check: TrustCheckName, detail: string): TrustCheck {
  return { check, state: "none", n: 0, figure: null, detail, source: null, ...NONE };
}

/** How far the score moves when the same novel is cut into pieces of different lengths. */
function lengthCheck(card: string): TrustCheck {
  const percent = /moves its score by at most ([\d.]+)% of the scale over (\w+)\s+novels/.exec(card);
  const points = /moves its score by at most ([\d.]+) of (\d+) over (\w+)\s+novels/.exec(card);
  const share = percent ? Number(percent[1]) / 100 : points ? Number(points[1]) / Number(points[2]) : null;
  if (share === null) return unread("length-bias");
  return {
    check: "length-bias",
    source: "card",
    ...NONE,
    state: share < SMALL_MOVE ? "sound" : "watch",
    n: countOf(percent?.[2] ?? points?.[3]),
    figure: { value: share, interval: null, isShare: true },
    detail: "The most by which cutting a novel into other lengths moved its score, as a share of the scale.",
  };
}

/** The table of damaged novels: which damage was noticed, and what moved the score the wrong way. */
function stressCheck(card: string): TrustCheck {
  const table = /<!-- stress -->([\s\S]*?)<!-- \/stress -->/.exec(card)?.[1] ?? "";
  const rows = table.split("\n").flatMap((line) => {
    const cells = cellsOf(line);
    const [right, none, wrong] = cells.slice(-3).map(Number);
    if (cells.length !== 6 || [right, none, wrong].some(Number.isNaN) || cells[0]!.includes("(harmless)")) return [];
    return [{ right: right!, all: right! + none! + wrong!, wrong: wrong! }];
  });
  const [right, all, wrong] = (["right", "all", "wrong"] as const).map((name) => sum(rows.map((row) => row[name])));
  if (!all) return unread("stress");
  const share = right! / all;
  return {
    check: "stress",
    source: "card",
    n: all,
    ...NONE,
    state: wrong! > 0 ? "problem" : share < FEW_NOTICED ? "watch" : "sound",
    figure: { value: share, interval: wilsonInterval(right!, all, 0.95), isShare: true },
    detail: `Of ${all} damaged novels it noticed ${right}; the score of ${wrong} moved the wrong way.`,
  };
}

/** The grader's own card measures agreement with a model; its agreement with readers is on the crowd's card. */
async function agreementCheck(judge: EmbeddedJudge, card: string): Promise<TrustCheck> {
  const { agreement } = CARDS[judge];
  const cells = agreement
    ? cellsOf(card.split("\n").find((line) => line.startsWith(agreement)) ?? "")
    : cellsOf((await readCard("crowd")).split("\n").find((line) => line.startsWith(`| ${judge} |`)) ?? "");
  const figure = /(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\]/.exec(cells[1] ?? "");
  if (!figure) return unread("agreement");
  const [value, low, high] = figure.slice(1).map(Number);
  const whom = judge === "editor" ? "professional writers’ scores of paragraphs" : "readers’ ratings of short stories";
  return {
    check: "agreement",
    source: "card",
    n: countOf(agreement ? cells[2] : undefined),
    ...NONE,
    state: low! > MODERATE ? "sound" : high! < MODERATE ? "problem" : "watch",
    figure: { value: value!, interval: [low!, high!], isShare: false },
    detail: `Spearman’s rank correlation with ${whom}, on texts held back. No rated books exist to measure it on.`,
  };
}

function unread(check: TrustCheckName): TrustCheck {
  return { check, state: "unknown", n: 0, figure: null, detail: "Its card does not say.", source: null, ...NONE };
}

function cellsOf(line: string): string[] {
  return line.startsWith("|")
    ? line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    : [];
}

function countOf(text: string | undefined): number {
  if (text === "twenty") return 20;
  const count = Number(text?.replace(",", ""));
  return Number.isInteger(count) ? count : 0;
}

function readCard(folder: string): Promise<string> {
  return readFile(assetPath("models", folder, "CARD.md"), "utf8");
}

interface TrustRecords {
  /** The judge with its method, and with settings that distinguish it from other judges of that name. */
  readonly judgements: readonly Judgement[];
  readonly votes: readonly BlindVote[];
  readonly files: readonly FiledCheck[];
}

const SEED = 1;
const RESAMPLES = 400;
const NOTHING_TO_RUN = { command: null, requests: [], canPlan: false } as const;

/** What the library, its votes and its result files say about one judge. */
export function measuredChecks(name: string, judge: string, records: TrustRecords): TrustCheck[] {
  const own = records.judgements.filter((judgement) => judgement.judge === name);
  const votes = records.votes.filter((vote) => vote.judge === name);
  const [health] = judgeHealth(
    { judgements: own, votes, anchors: [], comparisons: [], scale: null },
    { seed: SEED, resamples: RESAMPLES },
  );
  const filed = (check: TrustCheckName) =>
    records.files.findLast((file) => file.check.check === check && (file.judge === judge || file.judge === name))
      ?.check;
  return [
    found(health, "test-retest", "repeatability", "library") ??
      unmeasured("repeatability", `Needs three books judged more than once; this judge has ${repeated(own)}.`),
    found(health, "length-bias", "length-bias", "library") ??
      unmeasured("length-bias", `Needs ten books; this judge has judged ${byItem(own).size}.`),
    filed("position-bias") ?? unmeasured("position-bias", "No comparison of books by this judge is in the library."),
    filed("self-preference") ?? selfPreference(name, records.judgements),
    filed("contamination") ?? unmeasured("contamination", "No probe of this judge is in the library."),
    filed("stress") ?? unmeasured("stress", "No stress test of this judge is in the library."),
    found(health, "agreement", "agreement", "votes") ??
      unmeasured("agreement", `Needs ten blind votes on verdicts of this judge; there are ${votes.length}.`),
  ];
}

/** Texts whose author is the judge, beside texts of others, as it and other judges score them. */
function selfPreference(name: string, judgements: readonly Judgement[]): TrustCheck {
  const { state, n, figure, message } = checkSelfPreference(name, judgements, { seed: SEED, resamples: RESAMPLES });
  if (state !== "unknown") {
    const shown = figure && { value: figure.value, interval: figure.interval, isShare: false };
    return { check: "self-preference", state, n, figure: shown, detail: message, source: "library", ...NOTHING_TO_RUN };
  }
  const own = new Set(judgements.filter(({ writer }) => isWriter(writer, name)).map(({ item }) => item)).size;
  return unmeasured(
    "self-preference",
    `Needs ${FEWEST_TEXTS} texts written by this judge, with its name as their author, and ${FEWEST_TEXTS} by others, each scored by another judge too; the library has scores of ${own} by it.`,
  );
}

function repeated(judgements: readonly Judgement[]): number {
  return [...byItem(judgements).values()].filter(({ length }) => length > 1).length;
}

function found(
  health: JudgeHealth | undefined,
  name: CheckName,
  check: TrustCheckName,
  source: "library" | "votes",
): TrustCheck | null {
  const finding = health?.findings.find((one) => one.check === name);
  if (!finding || finding.state === "unknown") return null;
  const { state, n, figure, message } = finding;
  const shown = figure && { value: figure.value, interval: figure.interval, isShare: check === "agreement" };
  return { check, state, n, figure: shown, detail: message, source, ...NOTHING_TO_RUN };
}

function unmeasured(check: TrustCheckName, detail: string): TrustCheck {
  return { check, state: "unknown", n: 0, figure: null, detail, source: null, ...NOTHING_TO_RUN };
}
