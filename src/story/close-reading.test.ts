import { describe, expect, it } from "vitest";
import { findingId } from "../core/finding.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";
import { Planner, planningModel } from "../runner/planning.ts";
import type { Book } from "../text/book.ts";
import { countWords } from "../text/words.ts";
import { readClosely } from "./close-reading.ts";
import type { CloseReadingOptions } from "./reading-options.ts";

const CHAPTERS = [
  "Mara rubbed the scar on her left hand and counted the lamps. There were forty-three of them along the quay.\n\nThe ferry was late again.",
  "The harbour master kept a brass key in a drawer that nobody was allowed to open. Mara had seen it once.\n\nShe was twenty-four that winter.",
  "She looked at the scar on her right hand. Thirty-four lamps burned along the quay, and the ferry came in.",
];

function bookOf(chapters: readonly string[]): Book {
  const made = chapters.map((text, at) => ({ index: at + 1, title: null, text, words: countWords(text) }));
  return {
    title: "Lamps",
    author: null,
    language: "en",
    genres: [],
    premise: null,
    chapters: made,
    words: made.reduce((total, { words }) => total + words, 0),
    removed: [],
    warnings: [],
    source: { file: "lamps.md", format: "markdown", encoding: "utf-8", bytes: 0, sha256: "" },
  };
}

const claim = (title: string, passages: readonly (readonly [number, string])[], kind = "attribute-conflict") => ({
  kind,
  title,
  claim: `${title}.`,
  passages: passages.map(([chapter, quote]) => ({ chapter, quote })),
  severity: "should",
  certainty: 0.9,
  advice: "Choose one.",
});
const SCAR = claim("The scar", [
  [1, "the scar on her left hand"],
  [3, "the scar on her right hand"],
]);
const LAMPS = claim("The lamps", [
  [1, "forty-three of them along the quay"],
  [3, "Thirty-four lamps burned along the quay"],
]);
const KEY = claim("The key", [[2, "a brass key in a drawer that nobody was allowed to open"]], "open-thread");
const INVENTED = claim("A wedding", [[2, "the bells rang for her wedding all morning"]]);

const STORY = {
  premise: "Mara waits for a ferry.",
  question: "What does waiting cost?",
  chapters: [1, 2, 3].map((chapter) => ({
    chapter,
    happens: "Mara waits.",
    changes: "nothing",
    place: "the quay",
    time: "winter",
    viewpoint: "Mara",
    tense: "past",
    level: "story",
    tension: 2,
  })),
  people: [{ name: "Mara", also: [], role: "waits", wants: "to leave", arc: "none", passages: [] }],
  threads: [{ thread: "the key", opened: { chapter: 2, quote: "a brass key in a drawer" }, closed: null }],
};

/** Answers each question by the name of the shape it asks for. */
function scripted(replies: Record<string, unknown>): { model: ChatModel; asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    id: "scripted",
    contextTokens: null,
    async complete(request) {
      asked.push(request);
      const reply = replies[request.schema!.name];
      const value = typeof reply === "function" ? (reply as (request: ChatRequest) => unknown)(request) : reply;
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
      return {
        text: JSON.stringify(value),
        reasoning: null,
        stop: "stop",
        usage,
        model: "scripted",
        latencyMilliseconds: 1,
      };
    },
  };
  return { model, asked };
}

/** Finds every claim sound but those whose title is named. */
const holdsAllBut =
  (verdicts: Record<string, object> = {}) =>
  (request: ChatRequest) => ({
    verdicts: [...request.messages.at(-1)!.content.matchAll(/^(\d+)\. \[[\w-]+\] ([^:]+):/gm)].map(
      ([, number, title]) => ({
        number: Number(number),
        verdict: "holds",
        why: "Both stand there.",
        claim: null,
        severity: "must",
        explained_by: null,
        same_as: null,
        ...verdicts[title!],
      }),
    ),
  });

const replies = (more: Record<string, unknown> = {}) => ({
  close_story: STORY,
  close_chapter: { nothing: true },
  close_continuity: { claims: [SCAR, LAMPS, INVENTED] },
  close_threads: { claims: [KEY] },
  close_craft: { claims: [] },
  refutations: holdsAllBut(),
  ...more,
});

function read(model: ChatModel, more: Partial<CloseReadingOptions> = {}, book = bookOf(CHAPTERS)) {
  const options = {
    model,
    language: "en",
    replyLanguage: null,
    temperature: 0,
    depth: "quick",
    sample: 0,
    mainPeople: () => [],
  } as const;
  return readClosely(book, { ...options, ...more }, new AbortController().signal);
}

describe("a close reading", () => {
  it("asks nothing more of a model whose first answer cannot be read, twice", async () => {
    const { model, asked } = scripted(replies({ close_story: "Purple monkey dishwasher." }));
    await expect(read(model)).rejects.toThrow(
      "did not answer the first question of a close reading in a form that can be read",
    );
    expect(asked).toHaveLength(2);
  });

  it("keeps claims whose passages stand in the book, placed where they stand, and counts what it drops", async () => {
    const { model, asked } = scripted(replies());
    const { claims, counts, story } = await read(model);
    expect(claims.map(({ title }) => title).sort()).toEqual(["The key", "The lamps", "The scar"]);
    expect(counts).toMatchObject({ made: 4, unsupported: 1, quotationsMissing: 1, refuted: 0, unchecked: 0 });
    const scar = claims.find(({ title }) => title === "The scar")!;
    for (const { chapter, start, end, quote } of scar.passages)
      expect(CHAPTERS[chapter - 1]!.slice(start, end)).toBe(quote);
    expect(scar.severity).toBe("must");
    expect(story.threads[0]!.opened!.chapter).toBe(2);
    expect(asked[0]!.schema!.name).toBe("close_story");
  });

  it("counts nobody's mentions and keeps no claim for a plan, in which nothing is read", async () => {
    const planner = new Planner(false);
    const model = planningModel({ id: "planned", contextTokens: null }, planner, {
      price: null,
      recall: async () => null,
    });
    const mainPeople = () => {
      throw new Error("counted");
    };
    const { counts } = await read(model, { mainPeople });
    expect(counts.quotations).toBe(counts.quotationsMissing);
    expect(planner.plan().calls).toBeGreaterThan(4);
  });

  it("sends the book at the same place of every question, so that a provider can cache it", async () => {
    const { model, asked } = scripted(replies());
    await read(model);
    const starts = asked.map(({ messages }) => {
      const text = messages.map(({ content }) => content).join("\n");
      return text.slice(0, text.indexOf("<<<END book"));
    });
    expect(new Set(starts).size).toBe(1);
    expect(starts[0]).toContain("forty-three of them");
  });

  it("drops what the second reader refutes or explains, and takes its wording", async () => {
    const verdicts = {
      "The scar": { verdict: "false" },
      "The lamps": { verdict: "explained", explained_by: { chapter: 1, quote: "The ferry was late again." } },
      "The key": { claim: "The brass key is shown and never used." },
    };
    const { model } = scripted(replies({ refutations: holdsAllBut(verdicts) }));
    const { claims, counts } = await read(model);
    expect(claims.map(({ claim: said }) => said)).toEqual(["The brass key is shown and never used."]);
    expect(counts).toMatchObject({ refuted: 1, explained: 1 });
  });

  it("keeps a claim without a second opinion, as unchecked", async () => {
    const { model } = scripted(replies({ refutations: { verdicts: [] } }));
    const { claims, counts } = await read(model);
    expect(claims).toHaveLength(3);
    expect(claims.every(({ verdict }) => verdict === "unchecked")).toBe(true);
    expect(counts.unchecked).toBe(3);
  });

  it("asks again for chapters and people that the story leaves out", async () => {
    const part = { ...STORY, chapters: STORY.chapters.slice(0, 2), people: [] };
    const rest = { ...STORY, chapters: STORY.chapters.slice(2) };
    const { model, asked } = scripted(replies({ close_story: part, close_story_missing: rest }));
    const { story } = await read(model, { mainPeople: () => ["Mara"] });
    expect(story.chapters.map(({ chapter }) => chapter)).toEqual([1, 2, 3]);
    expect(story.people.map(({ name }) => name)).toEqual(["Mara"]);
    const question = asked.find(({ schema }) => schema!.name === "close_story_missing")!;
    expect(question.messages.at(-1)!.content).toContain("Chapter 3\nMara");
  });

  it("stops at a model that quotes what is not there, after the first answer", async () => {
    const people = Array.from({ length: 9 }, (_, at) => ({
      ...STORY.people[0]!,
      name: `Somebody ${at}`,
      passages: [{ chapter: 1, quote: `words that stand nowhere at all ${at}` }],
    }));
    const { model, asked } = scripted(replies({ close_story: { ...STORY, people } }));
    await expect(read(model)).rejects.toThrow("scripted is too weak for a close reading");
    expect(asked).toHaveLength(1);
  });

  it("leaves half of a short context to the question, so that every question is asked", async () => {
    const { model, asked } = scripted(replies());
    const { claims, shown, unanswered } = await read({ ...model, contextTokens: 9000 });
    expect({ shown, unanswered }).toEqual({ shown: "book", unanswered: [] });
    expect(claims).toHaveLength(3);
    expect(Math.max(...asked.map(({ maximumTokens }) => maximumTokens!))).toBe(4500);
  });

  it("says why there is nothing where no chapter fits the context", async () => {
    const { model, asked } = scripted(replies());
    const long = bookOf([`${CHAPTERS[0]} `.repeat(270)]);
    const { claims, unanswered } = await read({ ...model, contextTokens: 8000 }, {}, long);
    expect(asked).toHaveLength(0);
    expect(claims).toEqual([]);
    expect(unanswered).toEqual([
      { question: "chapter 1", reason: expect.stringMatching(/^it does not fit: about \d+ tokens/) },
      { question: "close-story", reason: "no chapter could be read" },
    ]);
  });

  it("goes on without the answer to one question, and says which", async () => {
    const { model } = scripted(replies({ close_craft: { nothing: true } }));
    const { claims, unanswered } = await read(model);
    expect(claims).toHaveLength(3);
    expect(unanswered.map(({ question }) => question)).toEqual(["close-craft"]);
  });

  it("shows the second reader of a long book the passages, what stands around them and what else speaks of them", async () => {
    const filler = Array.from(
      { length: 300 },
      (_, at) => `Paragraph ${at} speaks of nothing but rain and tea and ${"words ".repeat(50)}`,
    );
    const long = bookOf([
      `${CHAPTERS[0]}\n\n${filler.join("\n\n")}`,
      `${CHAPTERS[1]}\n\nHer scar had been on the left hand since the fire.\n\n${filler.join("\n\n")}`,
      CHAPTERS[2]!,
    ]);
    const { model, asked } = scripted(replies({ close_threads: { claims: [] } }));
    await read(model, {}, long);
    const shown = asked
      .filter(({ schema }) => schema!.name === "refutations")
      .map(({ messages }) => messages.at(-1)!.content);
    const scar = shown.find((text) => text.includes("The scar:"))!;
    expect(scar).toContain("Her scar had been on the left hand since the fire.");
    expect(scar).toContain("[…]");
    expect(scar.length).toBeLessThan(80_000);
  });

  it("does not raise again what the author says is meant, and tells the reader what the author said", async () => {
    const { model, asked } = scripted(replies());
    const storyCorrections = {
      intended: [{ passage: "Thirty-four lamps burned", why: "the others were stolen" }],
      facts: ["Mara is the ferryman's niece."],
    };
    const { claims, counts } = await read(model, { depth: "full" }, { ...bookOf(CHAPTERS), storyCorrections });
    expect(claims.map(({ title }) => title).sort()).toEqual(["The key", "The scar"]);
    expect(counts.intended).toBe(1);
    const told = asked.filter(({ messages }) =>
      messages.at(-1)!.content.includes("The author says: Mara is the ferryman's"),
    );
    expect(told.map(({ schema }) => schema!.name)).toContain("close_continuity");
    expect(told.at(-1)!.messages.at(-1)!.content).toContain(
      "this is meant: “Thirty-four lamps burned” (the others were stolen)",
    );
    // A chapter is noted as it stands, so that nothing the author says makes all chapters be paid again.
    expect(told.map(({ schema }) => schema!.name)).not.toContain("close_chapter");
    const id = findingId("attribute-conflict", SCAR.passages);
    const marked = await read(
      scripted(replies()).model,
      {},
      { ...bookOf(CHAPTERS), storyCorrections: { intended: [{ finding: id }], facts: [] } },
    );
    expect(marked.claims.map(({ title }) => title).sort()).toEqual(["The key", "The lamps"]);
  });
});
