import { expect, it } from "vitest";
import type { Job } from "../../src/api/jobs.ts";
import { ENGLISH } from "../texts/spoken.ts";
import { CHINESE } from "../texts/spoken-chinese.ts";
import { progressInWords } from "./job-state.ts";

const reading = (changes: Partial<Job>): Job => ({
  id: "job",
  request: { bookId: "book", judges: ["anthropic:reader"], method: "close", aspects: [], runs: 1, maximumCost: null },
  title: "The Ferry",
  state: "running",
  stage: "Judging",
  done: 5,
  total: 40,
  calls: 5,
  cost: 0,
  startedAt: "",
  finishedAt: null,
  note: null,
  noteCode: null,
  runId: null,
  evaluationId: null,
  ...changes,
});

it("says how far a reading has got in chapters, in the language of whoever waits", () => {
  const chapters = reading({ stage: "Reading chapters", step: { done: 3, total: 24 } });
  expect(progressInWords(chapters, ENGLISH.texts)).toBe("Reading chapter by chapter · 3 of 24 chapters");
  expect(progressInWords(chapters, CHINESE.texts)).toBe("逐章阅读 · 3 / 24 章");
  const offline = reading({ request: { ...reading({}).request, judges: ["jury"] }, done: 1, total: 9 });
  expect(progressInWords(offline, ENGLISH.texts)).toBe("Judging · 1 of 9 chapters");
  for (const stage of ["Reading the book", "Checking each claim", "Planning", "Starting"])
    expect(progressInWords(reading({ stage }), CHINESE.texts)).not.toMatch(/[A-Za-z]/);
  expect(progressInWords(reading({ state: "paused", stage: "Paused" }), CHINESE.texts)).toBe("已暂停");
});
