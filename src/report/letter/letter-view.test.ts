import { describe, expect, it } from "vitest";
import { sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import type { Finding } from "../../core/finding.ts";
import { letterView, quoteText } from "./letter-view.ts";
import { fill, wordLetter } from "./letter-words.ts";

function finding(quote: string): Finding {
  return {
    id: "one",
    kind: "person",
    title: "Who speaks?",
    claim: "Somebody says I.",
    severity: "should",
    certainty: 0.8,
    origin: "counted",
    passages: [{ chapter: 1, start: 0, end: quote.length, quote }],
    advice: "Look.",
  };
}

function viewOf(findings: readonly Finding[]) {
  const evaluation = sampleJuryEvaluation();
  const reference = { id: "novels", description: "novels", novels: 80 };
  const facts = { findings: [...findings], outside: [], reference };
  return letterView({ ...evaluation, letter: { ...facts, words: wordLetter(facts, evaluation, "en") } })!;
}

function closeViewOf(refuted: number, language: "en" | "zh", quotations = 3) {
  const evaluation = sampleJuryEvaluation();
  const close = {
    shown: "book" as const,
    story: { premise: "", question: "", chapters: [], people: [], threads: [] },
    page: null,
    pageMissing: "",
    counts: {
      ...{ made: 3, unsupported: 0, merged: 0, explained: 0, refuted, unchecked: 0 },
      ...{ quotations, quotationsMissing: 0 },
    },
    unanswered: [],
  };
  const facts = { findings: [], outside: [], reference: null, close };
  return letterView({ ...evaluation, letter: { ...facts, words: wordLetter(facts, evaluation, language) } })!;
}

const shown = (quote: string) =>
  viewOf([finding(quote)]).blocks.flatMap((block) => (block.kind === "item" ? block.quotes.map(quoteText) : []))[0]!;

describe("a letter", () => {
  it("shows the beginning of a passage that fills a page, cut between two words, and a short one whole", () => {
    const paragraph = "The rain came down on the harbour and nobody would open. ".repeat(40).trim();
    expect(shown(paragraph)).toMatch(/^The rain came down [\s\S]* [a-z]+…$/i);
    expect(shown(paragraph).length).toBeLessThanOrEqual(281);
    expect(paragraph.startsWith(shown(paragraph).slice(0, -1))).toBe(true);
    expect(shown("雨落在港口，没有人开门。".repeat(40))).toHaveLength(111);
    const sentence = "The rain came down on the harbour and nobody would open.";
    expect(shown(sentence)).toBe(sentence);
  });

  it("does not compare what it is unsure of with findings above where there are none", () => {
    const unsure = { ...finding("The rain came down."), id: "two", certainty: 0.3 };
    const said = (findings: readonly Finding[]) => JSON.stringify(viewOf(findings).blocks);
    expect(said([unsure])).toContain("None of this is certain");
    expect(said([unsure])).not.toContain("stands above");
    expect(said([finding("The rain came down."), unsure])).toContain("These are less certain than the findings above");
  });

  it("does not say how often findings are right where there is none", () => {
    const said = (findings: readonly Finding[]) => JSON.stringify(viewOf(findings).blocks);
    expect(said([finding("The rain came down.")])).toContain("six times in ten");
    expect(said([])).not.toContain("six times in ten");
    expect(said([])).toContain("does not understand the story");
  });

  it.each([
    ["en", "and made 3 claims. ", "; 1 of them was dropped: ", "; 2 of them were dropped: "],
    ["zh", "提出 3 条意见。", "；其中 1 条因", "；其中 2 条因"],
  ] as const)("says how many claims were dropped only where some were: %s", (language, none, one, some) => {
    const said = (refuted: number) => JSON.stringify(closeViewOf(refuted, language).blocks);
    expect(said(0)).toContain(none);
    expect(said(1)).toContain(one);
    expect(said(2)).toContain(some);
  });
});

it("a close reading that quoted nothing is not said to have found all that it quoted", () => {
  const said = (quotations: number) => JSON.stringify(closeViewOf(0, "en", quotations).blocks);
  expect(said(0)).toContain("It quoted nothing; whether");
  expect(said(1)).toContain("Its one quotation stands in the book; whether");
});

describe("a sentence of the letter", () => {
  const sentence = "{found} of {all} {all:claim|claims} {found:was|were} found{one:, the one on page {page}|}.";

  it("is singular where there is one, in numbers and in words that hold a number", () => {
    expect(fill(sentence, { found: 1, all: "1", one: 1, page: 7 })).toBe("1 of 1 claim was found, the one on page 7.");
    expect(fill(sentence, { found: 0, all: "1,001", one: 2, page: 7 })).toBe("0 of 1,001 claims were found.");
  });

  it("needs every variable", () => {
    expect(() => fill(sentence, { found: 1, one: 1, page: 7 })).toThrow("needs a value for all");
  });
});
