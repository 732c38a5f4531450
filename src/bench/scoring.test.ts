import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FabulaError } from "../core/errors.ts";
import { loadRubric, parseRubric } from "../criteria/load-rubric.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { ownPrompts } from "../prompts/own-prompts.ts";
import { modelScorer } from "./scoring.ts";

const { signal } = new AbortController();
const rubric = await loadRubric("novel-bench-en");
const ids = rubric.criteria.map(({ id }) => id);

/** A judge that gives the reply it is told to, and records its requests. */
function judgeSaying(text: string | (() => never), stop: ChatReply["stop"] = "stop") {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    id: "scripted",
    contextTokens: null,
    async complete(request) {
      asked.push(request);
      const answer = typeof text === "string" ? text : text();
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
      return { text: answer, reasoning: null, stop, usage, model: "scripted", latencyMilliseconds: 0 };
    },
  };
  return { model, asked };
}

const scoresOf = (entries: Record<string, unknown>) => JSON.stringify({ scores: entries });
const whole = Object.fromEntries(ids.map((id) => [id, { reason: "fine", score: 3.5 }]));

describe("a language model as scorer of chapters", () => {
  it("gives a score for every dimension, and asks another sample for every repeat", async () => {
    const { model, asked } = judgeSaying(scoresOf(whole));
    const verdicts = await modelScorer(model, rubric).score("A chapter.", 4, signal);
    expect(Object.keys(verdicts)).toEqual(ids);
    expect(Object.values(verdicts).every((verdict) => verdict.kind === "scored" && verdict.score === 3.5)).toBe(true);
    expect(asked[0]).toMatchObject({ sample: 4, temperature: 0.7, seed: 4, purpose: "judge" });
    expect(asked[0]!.messages.at(-1)!.content).toContain("A chapter.");
  });

  it("asks once at temperature 0, and repeats above it, so that a spread measures something", async () => {
    const { model, asked } = judgeSaying(scoresOf(whole));
    const scorer = modelScorer(model, rubric);
    for (const repeat of [0, 1, 2]) await scorer.score("A chapter.", repeat, signal);
    expect(asked.map(({ temperature }) => temperature)).toEqual([0, 0.7, 0.7]);
    const { settings, prompt } = (await scorer.basis?.())!;
    expect([settings(false), settings(true)]).toEqual(["temperature 0", "temperature 0.7"]);
    expect(prompt).toMatch(/^[0-9a-f]{12}$/);
  });

  it("leaves unscored what is off the scale or left out, and keeps the rest", async () => {
    const [first = "", second = ""] = ids;
    const { [second]: _, ...others } = whole;
    const { model } = judgeSaying(scoresOf({ ...others, [first]: { reason: "wow", score: 11 } }));
    const verdicts = await modelScorer(model, rubric).score("A chapter.", 0, signal);
    expect(verdicts[first]).toEqual({ kind: "unscored", reason: "the judge gave 11, which is off the scale" });
    expect(verdicts[second]).toEqual({ kind: "unscored", reason: "the judge left this dimension out" });
    expect(verdicts[ids[2]!]).toMatchObject({ kind: "scored" });
  });

  it("asks once more for the dimensions it could not read, and for those alone", async () => {
    const [first = "", second = ""] = ids;
    const { [second]: _, ...others } = whole;
    const replies = [
      scoresOf({ ...others, [first]: "4" }),
      scoresOf({ [first]: { score: 1 }, [second]: { reason: "thin", score: 2 } }),
    ];
    const { model, asked } = judgeSaying(() => replies.shift() as never);
    const verdicts = await modelScorer(model, rubric).score("A chapter.", 0, signal);
    expect(verdicts).toMatchObject({ [first]: { score: 4 }, [second]: { score: 2 } });
    expect(Object.values(verdicts).every(({ kind }) => kind === "scored")).toBe(true);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[1]!.schema)).toContain(`"${second}"`);
    expect(JSON.stringify(asked[1]!.schema)).not.toContain(`"${first}"`);
  });

  it("leaves all unscored with the reason when the reply cannot be read or never comes", async () => {
    const unreadable = await modelScorer(judgeSaying("I would rather not say.").model, rubric).score("x", 0, signal);
    for (const verdict of Object.values(unreadable)) expect(verdict.kind).toBe("unscored");
    const { model } = judgeSaying(() => {
      throw new ModelError("server", "scripted", "the provider is down");
    });
    const failed = await modelScorer(model, rubric).score("x", 0, signal);
    for (const verdict of Object.values(failed)) expect(verdict).toMatchObject({ reason: "the provider is down" });
  });

  it("asks in Chinese with the Chinese rubric", async () => {
    const { model, asked } = judgeSaying("{}");
    await modelScorer(model, await loadRubric("novel-bench-zh")).score("话说天下大势。", 0, signal);
    expect(asked[0]!.messages.map(({ content }) => content).join("")).toMatch(/^[^a-z]*[\u4e00-\u9fff]/);
  });

  describe("in another language", () => {
    const french = parseRubric(
      "id: roman\nversion: 1\nlanguage: fr\ntitle: Roman\nscale: { minimum: 1, maximum: 5 }\ncriteria:\n  - { id: style, name: Style, definition: La langue sert le récit. }\n",
      "roman",
    );
    const variables =
      "variables:\n  criteria: { kind: text, about: dimensions }\n  minimum: { kind: text, about: bas }\n  maximum: { kind: text, about: haut }\n  chapter: { kind: material, about: chapitre }\n";
    const folderWith = (prompt: string) => {
      const folder = mkdtempSync(join(tmpdir(), "fabula-prompts-"));
      mkdirSync(join(folder, "fr"));
      writeFileSync(join(folder, "fr", "bench-score.md"), prompt);
      return folder;
    };

    const written = `---\nname: bench-score\nversion: 1\nlanguage: fr\nabout: Note un chapitre.\n${variables}---\n# user\nNotez de {{minimum}} à {{maximum}} :\n{{criteria}}\n{{chapter}}\n`;

    it("asks with the prompt that was added as a file", async () => {
      const folder = folderWith(written);
      const { model, asked } = judgeSaying(scoresOf({ style: { reason: "bien", score: 4 } }));
      const verdicts = await modelScorer(model, french, ownPrompts(folder)).score("Il pleuvait.", 0, signal);
      expect(verdicts.style).toEqual({ kind: "scored", score: 4 });
      expect(asked[0]!.messages[0]!.content).toContain("Notez de 1 à 5");
    });

    it("falls back to the prompts that ship where the folder has none, and refuses one that does not show the chapter", async () => {
      const { model, asked } = judgeSaying(scoresOf(whole));
      await modelScorer(model, rubric, ownPrompts(folderWith(written))).score("A chapter.", 0, signal);
      expect(asked[0]!.messages[0]!.content).toContain("fiction editor");
      const lacking = folderWith(
        "---\nname: bench-score\nversion: 1\nlanguage: fr\nabout: Note.\nvariables:\n  criteria: { kind: text, about: dimensions }\n---\n# user\n{{criteria}}\n",
      );
      const scoring = modelScorer(model, french, ownPrompts(lacking)).score("Il pleuvait.", 0, signal);
      await expect(scoring).rejects.toThrow(FabulaError);
      await expect(scoring).rejects.toThrow(
        /{{chapter}} is missing: without it the model is not shown what it is asked about/,
      );
    });
  });
});
