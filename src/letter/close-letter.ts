import { z } from "zod";
import { type Finding, findingId, isStrength } from "../core/finding.ts";
import { askPrompt, judgeQuestion } from "../judge/ask.ts";
import { draftRecord } from "../judge/drafts/draft-record.ts";
import type { ClosePart } from "../judge/letter/parts.ts";
import { chooseExcerpts, type JudgeInstructions } from "../judge/material.ts";
import { ledgerEntry, outcomeOf, unscoredOutcome } from "../judge/methods/outcome.ts";
import { excerptsText } from "../judge/methods/summary.ts";
import type { Subject } from "../judge/subjects.ts";
import { asJson, ask } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { knownAbout } from "../story/author-says.ts";
import type { RefutedClaim } from "../story/claim.ts";
import { type CloseReading, readClosely } from "../story/close-reading.ts";
import type { CloseReadingOptions } from "../story/reading-options.ts";
import { storyText } from "../story/story.ts";
import type { Book } from "../text/book.ts";
import { segmentBook } from "../text/segments.ts";
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
  { model, language, prompts, temperature, sample, replyLanguage }: CloseReadingOptions,
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

/** What a prompt shows where a short book has no excerpts, or a reading found nothing. */
const NOTHING = "–";

type CloseOptions = Pick<
  CloseReadingOptions,
  "depth" | "mainPeople" | "replyLanguage" | "known" | "onStep" | "onFound"
> & {
  readonly instructions: JudgeInstructions;
};

/**
 * A book that judges read closely. Each judge reads it once, however many runs are asked for; a run is one more opinion on
 * what was read, so scores and letter rest on the same findings.
 */
export function closeSubject(book: Book, { instructions, ...options }: CloseOptions): Subject {
  const { language, temperature, prompts } = instructions;
  const segments = segmentBook(book, {});
  const readings = new Map<string, Promise<CloseReading>>();
  const optionsFor = (model: ChatModel): CloseReadingOptions => ({
    ...options,
    model,
    language,
    temperature,
    prompts,
    sample: 0,
  });
  const readingBy = (model: ChatModel, signal: AbortSignal) => {
    const known = readings.get(model.id);
    if (known) return known;
    const reading = readClosely(book, optionsFor(model), signal);
    readings.set(model.id, reading);
    return reading;
  };
  return {
    book,
    method: "close",
    basis: "close",
    async judge(judge, run, signal) {
      const nothing = (reason: string) =>
        unscoredOutcome(
          instructions,
          reason,
          segments.map((segment) => ledgerEntry(segment, "nothing", reason)),
        );
      const { story, claims, shown } = await readingBy(judge, signal);
      const excerpts = chooseExcerpts(book);
      const values = {
        metadata: knownAbout(book, language),
        story: storyText(story) || NOTHING,
        findings: findingsText(orderFindings(claims.map(findingOf))) || NOTHING,
        excerpts: excerptsText(excerpts, language) || NOTHING,
      };
      const answer = await ask(
        judge,
        await judgeQuestion(judge, instructions, { prompt: "judge-close", values, sample: run, length: "close" }),
        signal,
      );
      if (answer.kind === "unanswered") return nothing(answer.reason);
      return outcomeOf(
        answer.value,
        segments.map((segment) => ledgerEntry(segment, shown === "notes" ? "summary" : "text")),
      );
    },
    async storyDetails() {
      const [reading] = readings.values();
      const story = (await reading)?.story;
      if (!story) return { plot: null, characters: null };
      return {
        plot: [story.premise, ...story.chapters.map(({ happens }) => happens)].join("\n"),
        characters: story.people.map(({ name, role, arc }) => `${name}: ${role}. ${arc}`).join("\n"),
      };
    },
    async record(judge, outcomes) {
      const record = draftRecord({ book, judge, instructions, segments, method: "close" }, [], outcomes);
      const reading = await readings.get(judge);
      if (!reading) return record;
      const findings = orderFindings(reading.claims.map(findingOf));
      return { ...record, close: { depth: options.depth, findings, tried: [...reading.tried] } };
    },
    async closeLetter(judge, signal) {
      return writeCloseLetter(book, await readingBy(judge, signal), optionsFor(judge), signal);
    },
  };
}
