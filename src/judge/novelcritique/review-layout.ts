/** A review by aspects as the trained model writes it and as it is trained to write it. */
export interface WrittenReview {
  /** Name of the aspect → what is said of it. */
  readonly aspects: Readonly<Record<string, string>>;
  readonly assessment: string;
  /** 1.0–5.0; null when none could be read. */
  readonly score: number | null;
}

const REVIEW = "## Review";
const ASSESSMENT = "## Overall assessment";
const SCORE = "## Score";

export function aspectHeading(name: string): string {
  return `### ${name}`;
}

export function writeReview({ aspects, assessment, score }: WrittenReview & { readonly score: number }): string {
  const critiques = Object.entries(aspects).map(([name, critique]) => `${aspectHeading(name)}\n${critique.trim()}`);
  return [REVIEW, ...critiques, writeConclusion(assessment, score)].join("\n");
}

export function writeConclusion(assessment: string, score: number): string {
  return [ASSESSMENT, assessment.trim(), SCORE, score.toFixed(1)].join("\n");
}

/**
 * Reads a reply: headings with any number of #, bold headings and "Name:" lines all count, since small models are loose with
 * form. `names` are the aspects asked for; what stands under another heading is read as part of what came before it.
 */
export function readReview(reply: string, names: readonly string[]): WrittenReview {
  const aspects: Record<string, string[]> = {};
  const assessment: string[] = [];
  const score: string[] = [];
  let current: string[] = [];
  for (const line of reply.split(/\r?\n/)) {
    const { label, rest } = splitHeading(line);
    const name = names.find((candidate) => plain(candidate) === label);
    if (name !== undefined) current = aspects[name] ??= [];
    else if (label === "overall assessment" || label === "overall" || label === "conclusion") current = assessment;
    else if (/^(?:final |overall )?(?:score|rating)$/.test(label)) current = score;
    else if (label === "review") current = [];
    else {
      current.push(line);
      continue;
    }
    if (rest !== "") current.push(rest);
  }
  const written = Object.entries(aspects)
    .map(([name, lines]): [string, string] => [name, lines.join("\n").trim()])
    .filter(([, critique]) => critique !== "");
  return { aspects: Object.fromEntries(written), assessment: assessment.join("\n").trim(), score: readScore(score) };
}

function readScore(lines: readonly string[]): number | null {
  const match = /(?<![\d.])([1-5](?:\.\d+)?)(?![\d.]*\d)/.exec(lines.join(" "));
  const score = match ? Number(match[1]) : Number.NaN;
  return score >= 1 && score <= 5 ? score : null;
}

/** `### Characters`, `**Characters:** text`, `Characters: text` → the label in plain letters, and what follows on the line. */
function splitHeading(line: string): { label: string; rest: string } {
  const match = /^\s*(?:#{1,6}\s*)?(?:\*\*)?\s*([^:*#]{1,60}?)\s*(?:\*\*)?\s*(?::\s*(?:\*\*)?\s*(.*))?$/.exec(line);
  return { label: plain(match?.[1] ?? ""), rest: match?.[2]?.trim() ?? "" };
}

function plain(label: string): string {
  return label
    .toLowerCase()
    .replaceAll("&", "and")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
