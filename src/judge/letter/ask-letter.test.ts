import { expect, it } from "vitest";
import { scored } from "../../core/verdict.ts";
import type { ChatModel, ChatRequest } from "../../models/chat-model.ts";
import { clusterRemarks } from "../build-evaluation.ts";
import type { BookEvaluation } from "../evaluation.ts";
import { askLetter } from "./ask-letter.ts";

const evidence = (quote: string) => [
  { chapter: 1, quote, start: 0, end: quote.length, found: true, match: "exact" as const, similarity: 1 },
];

it("links every claim to remarks that exist, and drops claims that rest on none", async () => {
  const asked: ChatRequest[] = [];
  const judge: ChatModel = {
    id: "openai:test",
    contextTokens: null,
    complete: async (request) => {
      asked.push(request);
      const text = JSON.stringify({
        well: "It is funny.",
        stands_out: "The middle sags.",
        assessment: "A funny book that sags.",
        items: [
          { title: "The middle sags", finding: "Little happens.", advice: "Cut.", rests_on: [1, 99] },
          { title: "Invented", finding: "A second wedding.", advice: "?", rests_on: [42] },
        ],
      });
      return { text, usage: null, finish: "stop", model: "test" } as never;
    },
  };
  const evaluation = {
    aspects: [
      {
        id: "plot",
        name: "Plot",
        verdict: scored(9),
        weaknesses: [{ text: "The middle sags.", evidence: [0], times: 4 }],
        strengths: [{ text: "The end is earned.", evidence: [] }],
        evidence: evidence("Nothing happened."),
      },
    ],
  } as unknown as BookEvaluation;
  const question = { metadata: "Title: Rain", language: "en", temperature: 0 } as const;
  const answer = await askLetter(judge, evaluation, question, new AbortController().signal);
  expect(answer).toMatchObject({ kind: "answered", value: { well: "It is funny.", standsOut: "The middle sags." } });
  const items = answer.kind === "answered" ? answer.value.items : [];
  expect(items).toEqual([
    {
      title: "The middle sags",
      finding: "Little happens.",
      advice: "Cut.",
      basis: [{ aspect: "plot", kind: "weakness", remark: 0 }],
    },
  ]);
  const said = asked[0]!.messages.map(({ content }) => content).join("\n");
  expect(said).toContain("1. - Plot (said 4 times): The middle sags.");
  expect(said).toContain("2. + Plot: The end is earned.");
});

it("puts remarks that say the same together, the most frequent first, with quotations of several", () => {
  const remark = (text: string, quote: string) => ({ text, evidence: evidence(quote), absentNames: [] });
  const clusters = clusterRemarks([
    remark("The dialogue is stiff and formal.", "one"),
    remark("Pacing slows in the middle chapters.", "two"),
    remark("The pacing of the middle chapters is slow.", "three"),
    remark("In the middle chapters the pacing slows down.", "four"),
  ]);
  expect(clusters.map(({ times }) => times)).toEqual([3, 1]);
  expect(clusters[0]!.text).toMatch(/pacing/i);
  expect(clusters[0]!.evidence.map(({ quote }) => quote)).toEqual(["two", "three", "four"]);
});
