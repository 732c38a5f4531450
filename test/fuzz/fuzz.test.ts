import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { inputs } from "../support/inputs.ts";
import { inputNumber, nextInput, tryInput } from "./fuzz.ts";
import { ReachedCode } from "./reached-code.ts";
import { fuzzTargets, outcomeOf } from "./targets.ts";

const FOUND = "test/fuzz/found";
const targets = await fuzzTargets();
const found = existsSync(FOUND) ? readdirSync(FOUND) : [];

describe("every parser", () => {
  it.each(targets)("$name refuses damaged input in one sentence, or reads it", async (target) => {
    const random = seededRandom(7);
    for (const bytes of target.corpus) expect(await outcomeOf(target, bytes)).toBeNull();
    for (let count = 0; count < inputs(60); count++)
      expect(await tryInput(target, nextInput(target, random))).toBeNull();
  });

  it.runIf(found.length > 0).each(found)("does not fall over %s again", async (name) => {
    const target = targets.find((candidate) => name.startsWith(`${candidate.name}-`))!;
    expect(await tryInput(target, new Uint8Array(readFileSync(join(FOUND, name))))).toBeNull();
  });
});

describe("guidance", () => {
  const replies = targets.find(({ name }) => name === "replies")!;

  it("knows an input that reaches new code from one that does not", async () => {
    const code = await ReachedCode.watch(pathToFileURL("src/judge").href);
    try {
      await tryInput(replies, new TextEncoder().encode("Plot: 3/10"));
      expect(await code.isMore()).toBe(true);
      await tryInput(replies, new TextEncoder().encode("Plot: 3/10"));
      expect(await code.isMore()).toBe(false);
      await tryInput(replies, replies.corpus[0]!);
      expect(await code.isMore()).toBe(true);
    } finally {
      code.stop();
    }
  });

  it("damages an archive that cannot be opened as bytes", () => {
    const epub = targets.find(({ name }) => name === "epub")!;
    const broken = { ...epub, corpus: [epub.corpus[0]!.slice(0, 300)] };
    const random = seededRandom(3);
    for (let count = 0; count < 20; count++) expect(nextInput(broken, random).length).toBeGreaterThanOrEqual(0);
  });

  it("makes an input again from its number and what was kept before it", () => {
    const kept = [{ number: 5, bytes: replies.corpus[1]! }];
    expect(inputNumber(replies, 1, 5, kept)).toEqual(inputNumber(replies, 1, 5, []));
    const later = Array.from({ length: 50 }, (_, at) => 6 + at);
    const isOther = (number: number) =>
      Buffer.compare(inputNumber(replies, 1, number, kept), inputNumber(replies, 1, number, [])) !== 0;
    expect(later.some(isOther)).toBe(true);
  });
});
