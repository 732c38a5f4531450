import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { markOf } from "./judge-mark.ts";

const MODELS = Array.from({ length: 24 }, (_, at) => `openai:model-${at}`);

describe("a judge's sign", () => {
  it("stays the same when other judges join, and differs from the signs of 23 others", () => {
    const known = ["crowd", ...MODELS];
    for (const [at, model] of MODELS.entries()) {
      expect(markOf(model, known.slice(0, at + 2))).toEqual(markOf(model, known));
    }
    const signs = [...MODELS, "crowd", "editor", "grader"].map((judge) => JSON.stringify(markOf(judge, known)));
    expect(new Set(signs).size).toBe(27);
    expect(markOf("never seen", known)).toEqual(markOf("never seen", known));
  });

  it("has a colour of its own for three jurors and the first four models", () => {
    const seven = ["crowd", "editor", "grader", ...MODELS.slice(0, 4)];
    expect(new Set(seven.map((judge) => markOf(judge, seven).colour)).size).toBe(7);
  });
});

/** Linear red, green and blue as people with each kind of colour vision see them (Machado, Oliveira and Fernandes 2009). */
const VISION = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

describe.each([0, 1])("the colours of judges, theme %i", async (theme) => {
  const css = await readFile(new URL("../../styles/tokens.css", import.meta.url), "utf8");
  const named = (name: string) => {
    const pair = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css);
    if (!pair) throw new Error(`there is no --${name}`);
    return linear(pair[1 + theme]!);
  };
  const colours = Array.from({ length: 8 }, (_, at) => named(`judge-${at}`));

  it("stand out from every ground they are drawn on", () => {
    for (const ground of ["paper", "panel", "raised"].map(named)) {
      for (const colour of colours) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(Object.entries(VISION))("can be told apart with %s vision", (_, matrix) => {
    const seen = colours.map((colour) => oklab(throughEyes(colour, matrix)));
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) expect(distance(one, other)).toBeGreaterThan(0.1);
    }
  });
});

type Triple = readonly [number, number, number];

function linear(hex: string): Triple {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((pair) => {
    const value = Number.parseInt(pair, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red!, green!, blue!];
}

function contrast(one: Triple, other: Triple): number {
  const [low, high] = [one, other]
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    .sort((left, right) => left - right);
  return high! / low!;
}

function throughEyes(colour: Triple, matrix: readonly number[]): Triple {
  const [red, green, blue] = [0, 3, 6].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        colour.reduce((sum, value, at) => sum + value * matrix[row + at]!, 0),
      ),
    ),
  );
  return [red!, green!, blue!];
}

/** Where equal distances look equally different (Ottosson 2020). */
function oklab([red, green, blue]: Triple): Triple {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

function distance(one: Triple, other: Triple): number {
  return Math.hypot(...one.map((value, at) => value - other[at]!));
}
