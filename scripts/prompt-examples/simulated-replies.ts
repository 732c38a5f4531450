import type { Random } from "../../src/core/random.ts";
import { collectNames } from "../../src/judge/anonymise/collect-names.ts";
import { writeConclusion, writeReview } from "../../src/judge/novelcritique/review-layout.ts";
import type { PromptTemplate } from "../../src/prompts/template.ts";
import { type ReplyHandler, type SimulatedRequest, seededReply } from "../../src/testing/index.ts";
import { splitSentences } from "../../src/text/sentences.ts";
import { type RecognisedRequest, recogniseRequest } from "./recognise-request.ts";

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
      const names = values.aspects!.split("\n").map((heading) => heading.replace(/^#+\s*/, ""));
      return writeReview({ aspects: Object.fromEntries(names.map((name) => [name, SAID])), assessment: SAID, score });
    }
    case "novel-critique-score":
      return writeConclusion(SAID, score);
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
