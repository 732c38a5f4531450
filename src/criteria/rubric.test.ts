import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { checkRubric, loadRubric, parseRubric } from "./load-rubric.ts";
import { partsOf, rubricHash, topLevel } from "./rubric.ts";

const ASPECTS = ["plot", "characters", "writing", "world", "themes", "emotion", "enjoyment", "expectation"];

describe("the long-story rubric", () => {
  it("has the eight aspects and twenty sub-aspects, each under one of the eight", async () => {
    const rubric = await loadRubric("long-story");
    expect(topLevel(rubric).map((criterion) => criterion.id)).toEqual(ASPECTS);
    expect(topLevel(rubric).map((criterion) => criterion.abbreviation)).toEqual(
      "PLOT CHA WRI WOR THE EMO ENJ EXP".split(" "),
    );
    expect(rubric.criteria.length - 8).toBe(20);
    for (const aspect of ASPECTS) expect(partsOf(rubric, aspect).length).toBeGreaterThanOrEqual(2);
  });
});

describe("a rubric file", () => {
  const valid = `
id: mine
version: 1
language: en
title: Mine
scale: { minimum: 1, maximum: 5 }
criteria:
  - { id: voice, name: Voice, definition: The voice. }
`;

  it("changes its hash when a definition changes", () => {
    const before = parseRubric(valid, "mine");
    const after = parseRubric(valid.replace("The voice.", "The narrator's voice."), "mine");
    expect(rubricHash(after)).not.toBe(rubricHash(before));
  });

  it.each([
    ["an unknown parent", valid.replace("definition: The voice.", "definition: The voice., parent: nobody")],
    ["a criterion twice", `${valid}  - { id: voice, name: Voice, definition: Again. }\n`],
    ["a scale upside down", valid.replace("maximum: 5", "maximum: 0")],
    ["a field nobody knows", valid.replace("title: Mine", "title: Mine\nweight: 3")],
    ["no YAML at all", "{"],
  ])("is refused in one sentence for %s", (_fault, source) => {
    expect(() => parseRubric(source, "mine")).toThrow(FabulaError);
  });

  it("names everything that is wrong at once, also between criteria when one of them is wrong by itself", () => {
    const source = `
id: My Rubric
version: one
language: en
title: Mine
scale: { minimum: 10, maximum: 0 }
criteria:
  - { id: voice, name: Voice }
  - { id: voice, name: Voice, definition: Again., parent: nothing, weight: 3 }
`;
    const checked = checkRubric(source);
    expect(checked.kind === "wrong" && checked.problems.map(({ at, problem }) => `${at}: ${problem}`)).toEqual([
      "id: it must be lower-case words joined by hyphens",
      "version: it must be a number",
      "scale: the maximum must be above the minimum",
      "criteria.0.definition: it is missing",
      'criteria.1: there is no field "weight": check the spelling, or remove it',
      'criteria: "voice" appears twice',
      'criteria: "voice" has the parent "nothing", which is not there',
    ]);
  });

  it("that is missing says where to look", async () => {
    await expect(loadRubric("no-such-rubric")).rejects.toThrow(/assets\/criteria/);
  });

  it("of those that ship is valid, every one", async () => {
    for (const file of readdirSync(assetPath("criteria"))) {
      // Maps between rubrics and the vocabulary of free aspect names are no rubrics; their own folders test them.
      if (file.includes("-to-") || file === "aspect-vocabulary.yaml") continue;
      const { id } = await loadRubric(file.replace(/\.yaml$/, ""));
      expect(file).toBe(`${id}.yaml`);
    }
  });
});
