import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { KeptAnswer } from "../../api/letters.ts";
import { keepAnswer, readAnswers } from "./kept-answers.ts";

const ANSWER = { said: true, isUnsupported: false, answer: "Ada.", passages: [], shown: "book" } as const;

it("keeps an answer when the same question is asked again and the call fails", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fabula-answers-"));
  try {
    const asked: KeptAnswer = { question: "Who?", judge: "openai:a", askedAt: "1", answer: null, reason: "no reply" };
    const answered: KeptAnswer = { ...asked, askedAt: "2", answer: { ...ANSWER, passages: [] }, reason: null };
    await keepAnswer(folder, asked);
    await keepAnswer(folder, answered);
    expect(await readAnswers(folder)).toEqual([answered]);
    const failed = { ...asked, askedAt: "3" };
    expect(await keepAnswer(folder, failed)).toEqual(failed);
    expect(await readAnswers(folder)).toEqual([answered]);
    await keepAnswer(folder, { ...failed, judge: "openai:b" });
    expect(await readAnswers(folder)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
