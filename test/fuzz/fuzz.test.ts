import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { nextInput, tryInput } from "./fuzz.ts";
import { fuzzTargets, outcomeOf } from "./targets.ts";

const FOUND = "test/fuzz/found";
const targets = await fuzzTargets();
const found = existsSync(FOUND) ? readdirSync(FOUND) : [];

describe("every parser", () => {
  it.each(targets)("$name refuses damaged input in one sentence, or reads it", async (target) => {
    const random = seededRandom(7);
    for (const bytes of target.corpus) expect(await outcomeOf(target, bytes)).toBeNull();
    for (let count = 0; count < 60; count++) expect(await tryInput(target, nextInput(target, random))).toBeNull();
  });

  it.runIf(found.length > 0).each(found)("does not fall over %s again", async (name) => {
    const target = targets.find((candidate) => name.startsWith(`${candidate.name}-`))!;
    expect(await tryInput(target, new Uint8Array(readFileSync(join(FOUND, name))))).toBeNull();
  });
});
