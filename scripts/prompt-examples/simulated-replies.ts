import { isDeepStrictEqual } from "node:util";
import type { Random } from "../../src/core/random.ts";
import { collectNames } from "../../src/judge/anonymise.ts";
import { type PromptMessage, renderPart, renderPrompt } from "../../src/prompts/render-prompt.ts";
import { PLACEHOLDER, type PromptTemplate } from "../../src/prompts/template.ts";
import { type ReplyHandler, type SimulatedRequest, seededReply } from "../../src/testing/index.ts";
import { splitSentences } from "../../src/text/sentences.ts";

/** Marks the block of a value that is only asked about, never shown: that the block stands is all there is to know. */
const PRESENT = "present_";

interface RecognisedRequest {
  readonly template: PromptTemplate;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Which prompt a request was made from, and with what values. What the reading finds is rendered again and held against the
 * request, so a prompt is either recognised to the letter or not at all.
 */
export function recogniseRequest(
  sent: readonly PromptMessage[],
  templates: readonly PromptTemplate[],
): RecognisedRequest | null {
  // An answer that was begun for the model is no part of the prompt.
  const messages = sent.at(-1)?.role === "assistant" ? sent.slice(0, -1) : sent;
  for (const template of templates) {
    const values = readValues(messages, template);
    if (values !== null && rendersTo(template, values, messages)) return { template, values };
  }
  return null;
}

function rendersTo(
  template: PromptTemplate,
  values: Readonly<Record<string, string>>,
  messages: readonly PromptMessage[],
): boolean {
  const required = Object.entries(template.variables).filter(([, { optional }]) => !optional);
  return required.every(([name]) => values[name]) && isDeepStrictEqual(renderPrompt(template, values), messages);
}

function readValues(messages: readonly PromptMessage[], template: PromptTemplate): Record<string, string> | null {
  if (messages.length !== template.sections.length) return null;
  const values: Record<string, string> = {};
  for (const [position, { role, body }] of template.sections.entries()) {
    const { role: given, content } = messages[position]!;
    const found = role === given ? new RegExp(`^${patternOf(body, template)}$`).exec(content) : null;
    if (!found) return null;
    for (const [name, value] of Object.entries(found.groups ?? {})) {
      if (value === undefined) continue;
      if (name.startsWith(PRESENT)) values[name.slice(PRESENT.length)] ??= "yes";
      else values[name] = value;
    }
  }
  return values;
}

/** The template as a pattern: its own words as they stand, white space of any length, blocks that may be absent, and values. */
function patternOf(body: string, { variables }: PromptTemplate): string {
  const seen = new Set<string>();
  const pieces: string[] = [];
  let position = 0;
  for (const match of body.matchAll(PLACEHOLDER)) {
    const [whole, mark, name] = match;
    pieces.push(literal(body.slice(position, match.index)));
    position = match.index + whole.length;
    if (mark === "/") pieces.push(")?");
    else if (mark === "#" && !body.includes(`{{${name}}}`) && !seen.has(PRESENT + name)) {
      pieces.push(`(?<${PRESENT}${name}>`);
      seen.add(PRESENT + name);
    } else if (mark !== "") pieces.push("(?:");
    else {
      const value = seen.has(name!) ? `\\k<${name}>` : `(?<${name}>[^]*?)`;
      seen.add(name!);
      const fenced = variables[name!]!.kind === "material";
      pieces.push(fenced ? `<<<${name} [0-9a-f]{16}>>>\\n${value}\\n<<<END ${name} [0-9a-f]{16}>>>` : value);
    }
  }
  pieces.push(literal(body.slice(position)));
  return pieces.join("");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s*");
}

const SENTENCES = 3;
const SAID = "A simulated review: no model has read this story.";

/**
 * The simulated server's own seeded replies, except where a reply of random words would make the next request unreadable or
 * would not be accepted: notes and quotations are then cut from the very text that was shown.
 */
export function simulatedReplies(
  templates: readonly PromptTemplate[],
  onExchange: (asked: RecognisedRequest, request: SimulatedRequest, reply: string) => void,
): ReplyHandler {
  return async (request, random) => {
    const asked = recogniseRequest(request.messages, templates);
    if (!asked) throw new Error("A request that no prompt gives: the recorder cannot tell what was asked.");
    const reply = await replyTo(asked, request, random);
    onExchange(asked, request, reply);
    return reply;
  };
}

async function replyTo({ template, values }: RecognisedRequest, request: SimulatedRequest, random: Random) {
  const score = 1 + Math.round(random() * 40) / 10;
  switch (template.name) {
    case "summarise-opening":
    case "summarise-next":
      return json(notesFrom(values));
    case "novel-critique": {
      if (request.messages.at(-1)!.role === "assistant") return `: ${score.toFixed(1)}`;
      const headings = values.aspects!.match(/^\*\*.*$/gm) ?? [];
      const review = headings.map((heading) => `${heading}\n${SAID}`).join("\n\n");
      return renderPart(template, "answer", { review, conclusion: SAID, score: score.toFixed(1) });
    }
    case "perse-review":
      return `[Review] ${SAID}\n[Score] 7`;
    case "perse-compare":
      return `[${values.aspect}] Plot A`;
    case "qa-grade-prometheus":
      return `Feedback: ${SAID} [RESULT] 3`;
    case "structure-review": {
      const viewpoints = values.review!.split(/(?<=\.)\s+/);
      return json({ aspects: [{ aspect: "Enjoyment", viewpoints }], conclusion: viewpoints.at(-2), rating: 4 });
    }
    case "edit-letter": {
      const items = [{ title: "A title", finding: "What the remarks say.", advice: "What to do.", rests_on: [1] }];
      return json({
        well: "One sentence.",
        stands_out: "One sentence.",
        items,
        assessment: "Two sentences. Or three.",
      });
    }
    case "judge-close":
    case "judge-one-pass":
    case "judge-outline":
    case "judge-segment":
    case "judge-summary":
    case "judge-update":
      return json(verdictOn(values, () => 50 + Math.round(random() * 40)));
    default: {
      const said = await seededReply(request, random);
      const text = typeof said === "string" ? said : said.text;
      return request.schema ? json({ ...(JSON.parse(text) as object), ...settled(template.name) }) : text;
    }
  }
}

/** Notes that say nothing of their own: the sentences that open the paragraphs, and the names that stand in them. */
function notesFrom({ segment = "", plot }: RecognisedRequest["values"]): object {
  const paragraphs = proseOf(segment);
  const told = paragraphs.slice(0, SENTENCES).map(firstSentence).join(" ");
  const names = collectNames([{ text: paragraphs.join("\n\n") }]).slice(0, 2);
  return {
    segment: told,
    plot: [plot, told].filter(Boolean).join("\n"),
    characters: names.map(({ name, count }) => ({
      name,
      profile: firstSentence(paragraphs.find((text) => text.includes(name)) ?? name),
      current: "",
      overall: `× ${count}`,
    })),
  };
}

/** A verdict in the shape asked for: every point owns up to being simulated, and every quotation stands in what was shown. */
function verdictOn(values: RecognisedRequest["values"], score: () => number): object {
  const shown = values.segment ?? values.book ?? values.excerpts ?? values.sample ?? values.outline ?? "";
  const chapter = Number(/^\[\D*(\d+)/.exec(shown)?.[1] ?? 1);
  const quotes = [{ chapter, text: firstSentence(proseOf(shown)[0] ?? "") }];
  const ids = [...values.criteria!.matchAll(/^\d+\. [^(]*\((\w+)\)/gm)].map(([, id]) => id!);
  const aspect = () => ({ strengths: [{ point: SAID, quotes }], weaknesses: [], score: score() });
  return { aspects: Object.fromEntries(ids.map((id) => [id, aspect()])), assessment: SAID, overall: score() };
}

function proseOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== "" && !line.startsWith("["));
}

function firstSentence(paragraph: string): string {
  const [first] = splitSentences(paragraph);
  return first ? paragraph.slice(first.start, first.end).trim() : paragraph;
}

/** Answers that lead on to the next question, or that are no use otherwise. */
function settled(prompt: string): object {
  switch (prompt) {
    case "qa-book-kind":
      return { kind: "narrative" };
    case "qa-check-question":
    case "qa-check-answer":
      return { acceptable: true };
    case "personal-review":
      return { score: 7 };
    default:
      return {};
  }
}

function json(value: object): string {
  return JSON.stringify(value, null, 1);
}
