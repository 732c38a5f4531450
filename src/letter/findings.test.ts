import { describe, expect, it } from "vitest";
import { type Finding, findingId, type Severity } from "../core/finding.ts";
import { compareFindings, letterFindings } from "./findings.ts";

function finding(kind: string, quotes: readonly string[], own: Partial<Finding> = {}): Finding {
  const passages = quotes.map((quote, at) => ({ chapter: at + 1, start: 0, end: quote.length, quote }));
  return {
    id: findingId(kind, passages),
    kind,
    title: kind,
    claim: "",
    severity: "should" as Severity,
    certainty: 0.9,
    origin: "counted",
    passages,
    advice: "",
    ...own,
  };
}

const SCAR = finding("attribute-conflict", [
  "The scar ran down his left hand.",
  "He rubbed the scar on his right hand.",
]);
const NAME = finding("name-variant", ["Kathryn shut the door.", "“Come in, Katharine,” he said."]);
const GONE = finding("person-shift", ["Old Marlow went down to the boats."]);

describe("compareFindings", () => {
  it("says of each finding: fixed, still there, new", () => {
    const { fixed, still, new: fresh } = compareFindings([SCAR, NAME], [NAME, GONE]);
    expect(fixed).toEqual([SCAR]);
    expect(still).toEqual([{ before: NAME, after: NAME }]);
    expect(fresh).toEqual([GONE]);
  });

  it("knows a finding whose passages moved to other chapters, however it is worded", () => {
    const moved = {
      ...SCAR,
      claim: "another claim",
      passages: SCAR.passages.map((passage) => ({ ...passage, chapter: passage.chapter + 4, start: 900 })),
    };
    expect(compareFindings([SCAR], [moved]).still).toHaveLength(1);
  });

  it("knows a finding one of whose passages was rewritten a little", () => {
    const changed = finding("attribute-conflict", [
      "The scar ran all the way down his left hand.",
      "He rubbed the scar on his right hand.",
    ]);
    expect(changed.id).not.toBe(SCAR.id);
    const { still, fixed, new: fresh } = compareFindings([SCAR], [changed]);
    expect([still.length, fixed.length, fresh.length]).toEqual([1, 0, 0]);
  });

  it("knows one that names somebody at other places, but not one whose title would suit any", () => {
    const names = (title: string) =>
      compareFindings(
        [finding("name-variant", ["Kathryn came in.", "Katharine left."], { title })],
        [finding("name-variant", ["Nobody saw Kathryn go.", "“Is Katharine here?” he asked them."], { title })],
      ).still.length;
    expect([names("Kathryn and Katharine"), names("A name in two spellings")]).toEqual([1, 0]);
  });

  it("does not take another fault of the same kind for it", () => {
    const other = finding("attribute-conflict", [
      "Her eyes were green as glass.",
      "She had brown eyes, like her father.",
    ]);
    const { still, fixed, new: fresh } = compareFindings([SCAR], [other]);
    expect([still.length, fixed.length, fresh.length]).toEqual([0, 1, 1]);
  });

  it("gives every finding one partner, the most alike", () => {
    const near = finding("overused", ["She sighed at the sea again and again."]);
    const nearer = finding("overused", ["She sighed at the sea again."]);
    const first = finding("overused", ["She sighed at the sea once again."]);
    const { still, new: fresh } = compareFindings([first], [near, nearer]);
    expect(still.map(({ after }) => after)).toEqual([nearer]);
    expect(fresh).toEqual([near]);
  });
});

describe("letterFindings", () => {
  it("puts what stops a reader first, the story before its lines, and questions last", () => {
    const must = finding("repeated-passage", ["a long passage"], { severity: "must" });
    const line = finding("overused", ["blue eyes"]);
    const question = finding("state-conflict", ["He was dead."], { severity: "must", certainty: 0.5 });
    expect(letterFindings([], [question, line, GONE, must])).toEqual([must, GONE, line, question]);
  });

  it("says at most three times that something is overused", () => {
    const many = ["one", "two", "three", "four", "five"].map((word) => finding("overused", [word]));
    expect(letterFindings([], many)).toHaveLength(3);
  });

  it("has what was counted and read at the same passages once, as it was read", () => {
    const read: Finding = { ...SCAR, origin: "read", claim: "in the reader's words" };
    expect(letterFindings([read], [SCAR, NAME])).toEqual([read, NAME]);
  });
});
