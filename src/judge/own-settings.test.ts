import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadRubric } from "../criteria/load-rubric.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";
import { ownPrompts, shippedPrompts } from "../prompts/own-prompts.ts";
import { type JudgeInstructions, selectCriteria } from "./material.ts";
import { settingsOf } from "./settings.ts";
import { outlineSubject, parseOutline, summarisedBook, summarisedBookSchema } from "./subjects.ts";

const signal = new AbortController().signal;
const PUBLISHED = `---
name: judge-summary
version: 1
language: en
about: A prompt as a paper prints it.
reply: review
variables:
  metadata: { kind: material, about: title and genres }
  plot: { kind: material, about: the plot }
  characters: { kind: material, about: the people, optional: true }
  excerpts: { kind: material, about: passages, optional: true }
  criteria: { kind: text, about: the aspects }
  minimum: { kind: text, about: lowest score }
  maximum: { kind: text, about: highest score }
---
# user
Published words. {{metadata}} {{plot}} {{#characters}}{{characters}}{{/characters}}{{#excerpts}}{{excerpts}}{{/excerpts}}
Score from {{minimum}} to {{maximum}}: {{criteria}}
`;

let rubric: Rubric;
let folder: string;
beforeAll(async () => {
  rubric = await loadRubric("long-story");
  folder = await mkdtemp(join(tmpdir(), "fabula-prompts-"));
  await mkdir(join(folder, "en"));
  await writeFile(join(folder, "en", "judge-summary.md"), PUBLISHED);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function answering(text: string) {
  const requests: ChatRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
  const model: ChatModel = {
    id: "scripted",
    contextTokens: null,
    async complete(request) {
      requests.push(request);
      return { text, reasoning: null, stop: "stop", usage, model: "scripted", latencyMilliseconds: 0 };
    },
  };
  return { model, requests };
}

function instructionsOf(aspects: readonly string[], over: Partial<JudgeInstructions> = {}): JudgeInstructions {
  const criteria = selectCriteria(rubric, aspects);
  return { rubric, criteria, definitions: true, language: "en", temperature: 0, ...over };
}

it("an outline without a sample of prose gets no score for its writing, whatever the judge says", async () => {
  const aspect = { strengths: [], weaknesses: [], score: 88 };
  const aspects = { plot: aspect, writing: aspect, "writing-style": aspect };
  const { model } = answering(JSON.stringify({ aspects, assessment: "Fine.", overall: 80 }));
  const judged = async (source: string) => {
    const instructions = instructionsOf(["plot", "writing", "writing-style"]);
    return outlineSubject(parseOutline(source, "plan.md"), "plan.md", "en", instructions).judge(model, 0, signal);
  };
  const plan = "# The Weir\n\n## Plot\nA weir is built and nobody asks the river.\n";
  const bare = await judged(plan);
  expect(bare.aspects.plot!.verdict).toEqual({ kind: "scored", score: 88 });
  const none = { kind: "unscored", reason: "there is no sample of the prose" };
  expect([bare.aspects.writing!.verdict, bare.aspects["writing-style"]!.verdict]).toEqual([none, none]);
  const shown = await judged(`${plan}\n## Sample\nThe water came up to the second step.\n`);
  expect(shown.aspects.writing!.verdict).toEqual({ kind: "scored", score: 88 });
});

it("a published prompt is used as it is, and the review it asks for is read", async () => {
  const { model, requests } = answering(
    "### Plot and Structure\nI liked the weir.\nScore: 71\n\n### Characters\nFlat.\nScore: 7/10\n\n### Overall Score: 68",
  );
  const instructions = instructionsOf(["plot", "characters"], { prompts: ownPrompts(folder) });
  const row = summarisedBookSchema.parse({ id: 1, title: "The Weir", plot_summary: "A weir is built." });
  const outcome = await summarisedBook(row, instructions).judge(model, 0, signal);
  expect(requests).toHaveLength(1);
  expect(requests[0]!.messages.map(({ content }) => content).join("\n")).toContain("Published words.");
  expect(requests[0]!.schema).toBeUndefined();
  expect(outcome.overall).toEqual({ kind: "scored", score: 68 });
  expect(outcome.aspects.plot).toMatchObject({ verdict: { score: 71 }, strengths: [{ point: "I liked the weir." }] });
  expect(outcome.aspects.characters).toMatchObject({ verdict: { score: 70 }, strengths: [] });
});

it("the settings of an evaluation change with the prompt it was made with", async () => {
  const chosen = {
    judges: ["scripted"],
    basis: "given summary",
    instructions: instructionsOf(["plot"]),
    summariser: "scripted",
    bySegment: false,
    runs: 5,
    untilHalfWidth: null,
  } as const;
  const [ours, theirs] = [await settingsOf(chosen, shippedPrompts), await settingsOf(chosen, ownPrompts(folder))];
  expect(Object.keys(ours.prompts)).toEqual(["judge-summary"]);
  expect(ours.hash).not.toBe(theirs.hash);
  expect(await settingsOf(chosen, shippedPrompts)).toEqual(ours);
});
