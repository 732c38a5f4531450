import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { encodeWeights, readWeights } from "./weights-file.ts";

const expected = { model: "trial", version: 1, settings: z.object({ penalty: z.number() }) };
const arrays = {
  terms: Uint32Array.of(1, 2, 4_000_000_000),
  weights: Float32Array.of(0.5, -1.25, 3),
  exact: Float64Array.of(Math.PI),
};

function saved(bytes: Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), "fabula-weights-")), "weights.bin");
  writeFileSync(path, bytes);
  return path;
}

describe("a weights file", () => {
  const bytes = encodeWeights({ model: "trial", version: 1, settings: { penalty: 2 }, arrays });

  it("gives back what was put in, and the same bytes for the same model", () => {
    const weights = readWeights(saved(bytes), expected);
    expect(weights.settings).toEqual({ penalty: 2 });
    expect(weights.uint32("terms")).toEqual(arrays.terms);
    expect(weights.float32("weights")).toEqual(arrays.weights);
    expect(weights.float64("exact")).toEqual(arrays.exact);
    expect(encodeWeights({ model: "trial", version: 1, settings: { penalty: 2 }, arrays })).toEqual(bytes);
  });

  it("notices a single altered bit anywhere, a cut, and an empty file", () => {
    for (const position of [0, 20, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const altered = Uint8Array.from(bytes);
      altered[position] = altered[position]! ^ 1;
      expect(() => readWeights(saved(altered), expected)).toThrow(/do not match their checksum/);
    }
    expect(() => readWeights(saved(bytes.slice(0, -1)), expected)).toThrow(/checksum/);
    expect(() => readWeights(saved(new Uint8Array(0)), expected)).toThrow(/checksum/);
  });

  it("says so when the file is another model's, lacks an array, or is not there", () => {
    const path = saved(bytes);
    expect(() => readWeights(path, { ...expected, version: 2 })).toThrow(/trial version 1, not trial version 2/);
    expect(() => readWeights(path, expected).float32("terms")).toThrow(/lack "terms"/);
    expect(() => readWeights(`${path}.none`, expected)).toThrow(/could not be read/);
  });
});
