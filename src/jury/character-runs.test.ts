import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetPath } from "../core/assets.ts";
import { finished, HashIndex, unfinished } from "../prose/hashing.ts";
import { scanProse } from "../prose/scan-prose.ts";
import { type CharacterCodes, codeCharacters, hashRuns, RUNS_PER_CHARACTER, RunIndex } from "./character-runs.ts";

const story = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8");
const charactersOf = (text: string) => codeCharacters(scanProse(text), text);

/** The positions of all runs of a text, sentence after sentence, as a juror reads them. */
function looked(characters: CharacterCodes, index: RunIndex): number[] {
  const into = new Uint32Array(RUNS_PER_CHARACTER * characters.codes.length + 1);
  let total = 0;
  for (let sentence = 0; sentence + 1 < characters.first.length; sentence++)
    total = index.look(characters, sentence, 0, into, total);
  return [...into.subarray(0, total)];
}

describe("runs of characters", () => {
  const characters = charactersOf(story);
  const { hashes } = hashRuns(characters);

  it("are found where their hashes are, in the same order", () => {
    const vocabulary = [...new Set(hashes)].filter((_, at) => at % 3 !== 0);
    expect(vocabulary.length).toBeGreaterThan(2000);
    const byHash = new HashIndex(Uint32Array.from(vocabulary));
    expect(looked(characters, new RunIndex(Uint32Array.from(vocabulary)))).toEqual(
      Array.from(hashes, (hash) => byHash.find(hash)).filter((position) => position !== -1),
    );
  });

  it("do not cross the border of a sentence", () => {
    const two = charactersOf("It rained. We stayed.");
    const apart = ["It rained.", "We stayed."].flatMap((sentence) => [...hashRuns(charactersOf(sentence)).hashes]);
    expect([...hashRuns(two).hashes]).toEqual(apart);
  });

  it("are refused as a vocabulary when there are too many to number", () => {
    expect(() => new RunIndex(new Uint32Array(65_536))).toThrow("at most 65535 runs");
  });

  it("come back from their hashes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
        expect(unfinished(finished(number))).toBe(number);
      }),
    );
  });
});
