import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { topLevel } from "../../src/criteria/rubric.ts";
import { METHODS } from "../../src/judge/methods/registry.ts";
import { loadJury } from "../../src/jury/jury.ts";
import { FIGURES } from "../../src/prose/reference/reference-novels.ts";
import { loadLetterTexts } from "../../src/report/letter/letter-words.ts";
import { evaluateWithJury } from "../../src/tasks/books/evaluate-book.ts";
import { readBook } from "../../src/text/read-book.ts";
import { STORY } from "../../test/support/stories.ts";
import { chineseSentences, translatedNames, translatedReason, translatedSentence } from "./translated.ts";

const CHINESE = /[\u4e00-\u9fff]/;

describe("what the server says", () => {
  it("is translated by codes that it has", () => {
    const folder = join(import.meta.dirname, "..", "..", "src");
    const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    const inSource = (code: string) =>
      code.startsWith("E_MODEL_") ? code.slice("E_MODEL_".length).toLowerCase().replaceAll("_", "-") : code;
    expect(Object.keys(chineseSentences).filter((code) => !source.includes(`"${inSource(code)}"`))).toEqual([]);
    for (const sentence of Object.values(chineseSentences)) expect(sentence).toMatch(CHINESE);
  });

  it("names every aspect, method and figure in Chinese", async () => {
    const names = translatedNames("zh");
    for (const { id, name, definition } of topLevel(await loadRubric("long-story"))) {
      expect(names.aspect(id, name), id).toMatch(CHINESE);
      expect(names.definition(id, definition), id).toMatch(CHINESE);
    }
    for (const { name, about } of Object.values(METHODS)) {
      expect(names.method(name), name).toMatch(CHINESE);
      expect(names.explanation(name, about), name).toMatch(CHINESE);
    }
    const { reasons } = loadLetterTexts("en");
    for (const [why, words] of Object.entries(reasons)) {
      expect(names.why(why), why).toMatch(CHINESE);
      expect(translatedNames("en").why(why)).toBe(words);
    }
    for (const { id, name } of FIGURES) expect(names.figure(id, name), id).toMatch(CHINESE);
  });

  it("stays as it is in English, and where no translation is known", () => {
    expect(translatedSentence("E_BINARY", "en")).toBeNull();
    expect(translatedSentence("E_SOMETHING_NEW", "zh")).toBeNull();
    expect(translatedSentence("constructor", "zh")).toBeNull();
    expect(translatedSentence(null, "zh")).toBeNull();
    expect(translatedSentence("E_BINARY", "zh")).toMatch(CHINESE);
    expect(translatedReason("it refused", "zh")).toBe("it refused");
  });

  it("is translated where a juror gives no score, and for what stands beside one, whatever it is", async () => {
    const jury = await loadJury();
    const lists = "harbour copper seven lantern whereas gull invoice marble under tepid quorum vessel. ".repeat(60);
    const refused = ["It rained.", "雨下了一整天，街上没有人。".repeat(60), lists].flatMap((text) =>
      Object.values(jury.judge([jury.prepare(text)])).map(({ overall }) => overall),
    );
    const book = await readBook(STORY);
    const told = await Promise.all(["jury", "crowd", "grader"].map((judge) => evaluateWithJury(book, { judge })));
    const beside = told.flatMap(({ aspects, jury: part }) => [
      ...aspects.map(({ verdict }) => verdict),
      ...part!.jurors.flatMap(({ caveat, noPercentile }) =>
        [caveat, noPercentile].flatMap((reason) => (reason === null ? [] : [{ kind: "unscored" as const, reason }])),
      ),
    ]);
    const reasons = new Set(
      [...refused, ...beside].map((verdict) => (verdict.kind === "unscored" ? verdict.reason : "it was scored")),
    );
    expect(reasons.size).toBeGreaterThan(6);
    for (const reason of reasons) {
      expect(translatedReason(reason, "zh"), reason).toMatch(CHINESE);
      expect(translatedReason(reason, "zh"), reason).not.toContain("$");
      expect(translatedReason(reason, "en")).toBe(reason);
    }
    const short = [...reasons].find((reason) => reason.includes("words of prose"))!;
    expect(translatedReason(short, "zh")).toContain("2");
  });

  it.each([
    ["the editor's score of the prose stands beside the others, on its own scale", "编辑"],
    ["the grader's own criteria stand beside its score", "评分模型"],
  ])("is translated as evaluations that were stored earlier say it: %s", (reason, chinese) => {
    expect(translatedReason(reason, "zh")).toMatch(chinese);
  });
});
