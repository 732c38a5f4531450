import { z } from "zod";
import { type Finding, findingId, isStrength } from "../core/finding.ts";
import { askPrompt } from "../judge/ask.ts";
import type { ClosePart } from "../judge/letter/parts.ts";
import { asJson } from "../models/ask.ts";
import { knownAbout } from "../story/author-says.ts";
import type { RefutedClaim } from "../story/claim.ts";
import type { CloseReading } from "../story/close-reading.ts";
import type { ReadingOptions } from "../story/reading-options.ts";
import { storyText } from "../story/story.ts";
import type { Book } from "../text/book.ts";
import { orderFindings } from "./findings.ts";

/** A claim that a second reader found weak is shown last, and as a thing to consider. */
export function findingOf({
  verdict,
  kind,
  title,
  claim,
  severity,
  certainty,
  passages,
  advice,
}: RefutedClaim): Finding {
  const isWeak = verdict !== "holds";
  return {
    id: findingId(kind, passages),
    kind,
    title,
    claim,
    severity: isWeak ? "consider" : severity,
    certainty: isWeak ? Math.min(certainty, 0.5) : certainty,
    origin: "read",
    passages: [...passages],
    advice,
  };
}

const entry = { text: z.string(), findings: z.array(z.number()) };
const titled = { title: z.string(), ...entry };
const replySchema = z.object({
  book: z.string(),
  works: z.array(z.object(entry)),
  problems: z.array(z.object(titled)),
  first: z.array(z.object(entry)),
  plan: z.array(z.object(titled)),
});
const TOKENS = 6000;

export interface CloseLetter {
  readonly findings: Finding[];
  readonly close: ClosePart;
}

/** The letter of a close reading: the findings in order, and a first page and a plan that a model writes from them. */
export async function writeCloseLetter(
  book: Book,
  reading: CloseReading,
  { model, language, prompts, temperature, sample, replyLanguage }: ReadingOptions,
  signal: AbortSignal,
): Promise<CloseLetter> {
  const findings = orderFindings(reading.claims.map(findingOf));
  const without = (pageMissing: string): CloseLetter => ({ findings, close: { ...base, page: null, pageMissing } });
  const base = {
    shown: reading.shown,
    story: reading.story,
    counts: { ...reading.counts },
    unanswered: [...reading.unanswered],
  };
  if (findings.length === 0) return without("there are no findings to write it from");
  const answer = await askPrompt(
    model,
    {
      prompt: "close-letter",
      language,
      prompts,
      values: {
        metadata: knownAbout(book, language),
        story: storyText(reading.story) || "–",
        findings: findings.map(findingText).join("\n"),
        replyLanguage,
      },
      purpose: "judge",
      ...asJson("letter", replySchema),
      maximumTokens: TOKENS,
      usualTokens: 3500,
      temperature,
      sample,
    },
    signal,
  );
  if (answer.kind === "unanswered") return without(answer.reason);
  // An entry that rests on nothing in the list is not believed.
  const rested = <T extends { findings: number[] }>(entries: readonly T[]) =>
    entries
      .map((given) => ({ ...given, findings: given.findings.flatMap((number) => findings[number - 1]?.id ?? []) }))
      .filter((given) => given.findings.length > 0);
  const { book: about, works, problems, first, plan } = answer.value;
  const page = {
    book: about.trim(),
    works: rested(works),
    problems: rested(problems),
    first: rested(first),
    plan: rested(plan),
  };
  return { findings, close: { ...base, page, pageMissing: null } };
}

/** `3. must, attribute-conflict, chapters 1 and 5, certainty 0.97: The scar changes hands. … Advice: …` */
function findingText({ severity, kind, title, claim, passages, certainty, advice }: Finding, at: number): string {
  const chapters = [...new Set(passages.map(({ chapter }) => chapter))].join(", ");
  const rank = isStrength({ kind }) ? "strength" : `${severity}, ${kind}`;
  return `${at + 1}. ${rank}, chapters ${chapters}, certainty ${certainty}: ${title}. ${claim} Advice: ${advice}`;
}

/** So many are shown with their passages; they stand in order, and of the rest the claim is enough to weigh it. */
const MOST_QUOTED = 60;

/** The findings as a judge of the aspects sees them. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ kind, severity, claim, passages }, at) => {
      const quotes = passages.map(({ chapter, quote }) => `   chapter ${chapter}: "${quote}"`);
      const rank = isStrength({ kind }) ? "strength" : `${severity}, ${kind}`;
      return [`- ${rank}: ${claim}`, ...(at < MOST_QUOTED ? quotes : [])].join("\n");
    })
    .join("\n");
}
