import { describe, expect, it } from "vitest";
import { mapManuscript } from "../map/manuscript-map.ts";
import { compareFigures, loadReferenceNovels } from "./reference-novels.ts";

const BY_VERBS_IN_THE_PAST = ["action-share", "description-share", "thought-share", "filter-words"];

const valuesOf = (line: string) => {
  const map = mapManuscript([{ index: 1, title: null, text: `${line}\n\n`.repeat(120) }], { language: "en" });
  const figures = compareFigures(map, loadReferenceNovels());
  return {
    tense: map.viewpoint!.tense,
    values: BY_VERBS_IN_THE_PAST.map((id) => figures.find((each) => each.id === id)!.value),
  };
};

describe("figures that count verbs in the past", () => {
  it("are missing, not praised, in a book told in the present", () => {
    const { tense, values } = valuesOf(
      "She sees the door and hears the rain. He takes the lamp, turns, and goes down to the yard.",
    );
    expect(tense).toBe("present");
    expect(values).toEqual([null, null, null, null]);
  });

  it("are there in a book told in the past", () => {
    const { tense, values } = valuesOf(
      "She saw the door and heard the rain. He took the lamp, turned, and went down to the yard.",
    );
    expect(tense).toBe("past");
    expect(values.every((value) => value !== null)).toBe(true);
  });
});
