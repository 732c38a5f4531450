import { describe, expect, it } from "vitest";
import type { QuestionResult } from "../../../src/api/questions.ts";
import { problem } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("questions", () => {
  it("scores answers to questions and keeps the result", async () => {
    const lines = [
      { prediction: "the blue whale", answers: ["a blue whale", "whale"] },
      { prediction: "nobody", answers: ["Ishmael"] },
    ];
    const content = lines.map((line) => JSON.stringify(line)).join("\n");
    const response = await library.server.upload("/api/questions", { name: "answers.jsonl", content });
    const result = (await response.json()) as QuestionResult;
    expect(result).toMatchObject({ name: "answers.jsonl", items: 2 });
    expect(result.metrics.find(({ id }) => id === "em")?.mean).toBe(0.5);
    expect(await library.server.json<QuestionResult[]>("/api/questions")).toEqual([result]);
    expect(await problem(library.server.upload("/api/questions", { name: "x.jsonl", content: "{" }))).toMatchObject({
      code: "E_JSONL_LINE",
      message: expect.stringContaining("x.jsonl"),
    });
  });
});
