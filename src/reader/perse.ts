import type { ChatReply } from "../models/chat-model.ts";
import { type ParsedReply, readScoreReply, refusalIn } from "../models/read-reply.ts";
import { pairTexts } from "./evaluation/describe-history.ts";
import { fromStars, type ScoreScale } from "./evaluation/score-scale.ts";
import type { PastReview } from "./predictor/story.ts";
import { CHOICE_ASPECTS, type PastComparison, type Side } from "./profile/past-comparison.ts";

/** PerSE's own form: how its prompts mark plots, reviews and choices, how its replies are read, and the data it released. */

/** How a model is asked: in Fabula's form, or in the one that PerSE's models are trained on. */
export const PROTOCOLS = ["fabula", "perse"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** An earlier review with its plot. PerSE's scores are whole numbers. */
export function persePastReview(
  past: PastReview,
  position: number,
  { scale, withWords }: { readonly scale: ScoreScale; readonly withWords: boolean },
): string {
  const plot = past.plot_summary ?? past.premise ?? past.genres.join(", ");
  return [
    `[The Start of Plot ${position}]`,
    plot === "" ? "–" : plot,
    `[The End of Plot ${position}]`,
    withWords && past.review && `[Review] ${past.review}`,
    past.rating !== undefined && `[Score] ${Math.round(fromStars(past.rating, scale))}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** An earlier choice on one aspect; null if the reader chose neither, or said nothing about the aspect. */
export function persePastChoice(
  { left, right, preferred }: PastComparison,
  aspect: { readonly id: string; readonly name: string },
): string | null {
  const side = preferred[aspect.id];
  if (side === undefined || side === "tie") return null;
  const [premise, first, second] = pairTexts(left, right, "en");
  return [
    premise !== undefined && `[Premise] ${premise}`,
    "[The Start of Plot A]",
    first,
    "[The End of Plot A]",
    "[The Start of Plot B]",
    second,
    "[The End of Plot B]",
    perseChoice(aspect.name, side),
  ]
    .filter(Boolean)
    .join("\n");
}

export function perseChoice(aspect: string, side: Exclude<Side, "tie">): string {
  return `[${aspect}] Plot ${side === "left" ? "A" : "B"}`;
}

/** `[Review] … [Score] 7`, and what models make of it: `8/10`, JSON, a line with a label. */
export function readPerseReview(reply: ChatReply, scale: ScoreScale): ParsedReply<{ score: number; reason: string }> {
  const parsed = readScoreReply(reply, scale);
  if (parsed.kind === "unreadable") return parsed;
  const reason = parsed.value.reason.replace(/^[^[]{0,80}\[\s*review\s*\]\s*:?\s*/i, "").trim();
  return { kind: "read", value: { ...parsed.value, reason } };
}

const CHOICE = /\bplot\s*[:*_]*\s*([AB])\b/gi;

/** `[Ending] Plot B`; of a reply that weighs both, what follows its last mark counts. */
export function readPerseChoice(reply: ChatReply): ParsedReply<"first" | "second" | "tie"> {
  const refusal = refusalIn(reply);
  if (refusal) return refusal;
  const marked = /(?:\][\s:*_]*|"?choice"?\s*[:=]\s*"?)(?=plot\s*[AB]\b|n\/a|neither|both)/gi;
  const marks = [...reply.text.matchAll(marked)];
  const last = marks.at(-1);
  const text = last ? reply.text.slice(last.index + last[0].length) : reply.text;
  if (last && /^(?:n\/a|neither|both)\b/i.test(text)) return { kind: "read", value: "tie" };
  const named = last ? text.match(/^plot\s*([AB])/i)?.[1] : onlyOne(text);
  if (named) return { kind: "read", value: named.toUpperCase() === "A" ? "first" : "second" };
  return { kind: "unreadable", why: "no-score", reason: "the reply names neither plot, or both" };
}

function onlyOne(text: string): string | undefined {
  const named = new Set([...text.matchAll(CHOICE)].map(([, letter]) => letter!.toUpperCase()));
  return named.size === 1 ? [...named][0] : undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** The highest score in Per-MPST. */
const RELEASED_SCALE = 10;

/** The letter in the name of a file of Per-DOC, or the name of its aspect in a line. */
const ASPECTS: Readonly<Record<string, string>> = Object.fromEntries(
  CHOICE_ASPECTS.map((aspect) => [aspect.charAt(0).toUpperCase(), aspect]),
);

/**
 * Turns a line of PerSE's released data into a line of ours, with ratings out of ten. Null for any other line; a sentence for a
 * line of theirs that cannot be read. Per-MPST gives a critic's reviews and last the film that is asked about; Per-DOC gives a
 * prompt with two pairs of plots, and the aspect only in the file's name.
 */
export function fromPerseRelease(
  line: Json,
  source: string,
): { readonly line: Json; readonly scale: number } | string | null {
  if (Array.isArray(line.examples)) {
    const reviews = (line.examples as unknown[]).filter(isRecord);
    const asked = reviews.at(-1);
    if (asked === undefined) return "the line has no examples";
    return {
      scale: RELEASED_SCALE,
      line: {
        id: line.idx,
        reader: asked.reviewer_name,
        history: reviews.slice(0, -1).map((review) => ({ ...filmOf(review), ...opinionOf(review) })),
        query: filmOf(asked),
        rating: asked.score,
        review: opinionOf(asked).review,
      },
    };
  }
  const prompt = Array.isArray(line.prompt) ? line.prompt[0] : line.prompt;
  if (typeof prompt !== "string" || typeof line.completion !== "string" || !prompt.includes("[The Start of Plot A]"))
    return null;
  const aspect = aspectOf(line, source);
  if (aspect === null)
    return "the aspect of Per-DOC is neither in the line nor in the name of the file: name the file as released, PerDOC.I.jsonl (I, A, S, C or E)";
  const pairs = [...prompt.matchAll(PAIR)];
  const asked = pairs.at(-1);
  const side = sideIn(line.completion);
  if (asked === undefined || side === null) return "the line of Per-DOC has no two plots, or no choice between them";
  const comparisons = pairs.slice(0, -1).flatMap((pair) => {
    const chosen = sideIn(prompt.slice(pair.index + pair[0].length).split("[The Start of Plot A]")[0]!);
    return chosen === null ? [] : [{ ...plotsOf(pair), preferred: { [aspect]: chosen } }];
  });
  const told = { id: line.idx, reader: line.review_id, comparisons, ...plotsOf(asked), preferred: { [aspect]: side } };
  return { scale: RELEASED_SCALE, line: told };
}

const PAIR =
  /\[The Start of Plot A\]\s*([\s\S]*?)\s*\[The End of Plot A\]\s*\[The Start of Plot B\]\s*([\s\S]*?)\s*\[The End of Plot B\]/g;

function filmOf({ movie_id: book, movie_title: title, summ_plot: plot }: Json): Json {
  return { book, title, plot_summary: plot };
}

/** Three bars separate the title of a review from its text. */
function opinionOf({ clean_review: review, score: rating }: Json): Json {
  return { rating, review: typeof review === "string" ? review.replaceAll(/\s*\|\|\|\s*/g, "\n") : undefined };
}

function plotsOf([, first, second]: RegExpExecArray): { readonly left: Json; readonly right: Json } {
  return { left: plotOf(first!), right: plotOf(second!) };
}

/** A plan begins with the premise, after two spaces, which ends at the next heading. */
function plotOf(text: string): Json {
  const premise = /^Premise\s+([\s\S]*?)(?=Settings\s{2})/.exec(text);
  return premise
    ? { premise: premise[1]!.trim(), plot_summary: text.slice(premise[0].length).trim() }
    : { plot_summary: text };
}

function sideIn(text: string): "left" | "right" | null {
  const choice = /"Choice"\s*:\s*"Plot ([AB])"/.exec(text)?.[1];
  return choice === undefined ? null : choice === "A" ? "left" : "right";
}

function aspectOf({ aspect }: Json, source: string): string | null {
  if (typeof aspect === "string") {
    const plain = aspect
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "-");
    return (
      ASPECTS[aspect.trim()] ?? Object.values(ASPECTS).find((one) => one === plain || one.startsWith(plain)) ?? null
    );
  }
  const letter = /(?:^|[/\\])[^/\\]*?doc[^/\\]*?\.([IASCE])\.[^/\\]*$/i.exec(source)?.[1];
  return letter === undefined ? null : ASPECTS[letter.toUpperCase()]!;
}

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
