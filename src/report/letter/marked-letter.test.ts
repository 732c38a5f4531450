import { strFromU8 } from "fflate";
import { expect, it } from "vitest";
import { sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import type { Finding } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { letterView } from "./letter-view.ts";
import { besideOffer, wordLetter } from "./letter-words.ts";
import { type FindingMarks, markedLetter } from "./marked-letter.ts";
import { notesFolder } from "./notes-folder.ts";

const findings = ["fixed", "meant", "open"].map(
  (id): Finding => ({
    id,
    kind: "person",
    title: `Who speaks in ${id}?`,
    claim: "Somebody says I.",
    severity: "should",
    certainty: 0.8,
    origin: "counted",
    passages: [{ chapter: 1, start: 0, end: 9, quote: "The rain." }],
    advice: "Look.",
  }),
);
const MARKS: FindingMarks = new Map([
  ["fixed", "done"],
  ["meant", "intended"],
]);
const made = sampleJuryEvaluation();
const facts = { findings, outside: [], reference: null };
const evaluation = { ...made, letter: { ...facts, words: wordLetter(facts, made, "en") } };

it("says behind each finding what its writer said of it", () => {
  const { blocks } = markedLetter(letterView(evaluation)!, MARKS);
  expect(blocks.flatMap((block) => (block.kind === "item" ? [block.title] : []))).toEqual([
    "Who speaks in fixed? (done)",
    "Who speaks in meant? (intended)",
    "Who speaks in open?",
  ]);
});

it("ticks in a folder of notes what is done or meant, and leaves open what is not", () => {
  const files = Object.entries(notesFolder(evaluation, MARKS)).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  );
  const list = new Map(files).get("Findings.md")!;
  expect(list).toContain("- [x] [[001 Who speaks in fixed]] (should, done)");
  expect(list).toContain("- [x] [[002 Who speaks in meant]] (should, intended)");
  expect(list).toContain("- [ ] [[003 Who speaks in open]] (should)");
  const [, chapter] = files.find(([name]) => name.startsWith("Chapters/"))!;
  expect(chapter.match(/- \[x\]/g)).toHaveLength(2);
  expect(files.find(([name]) => name.includes("001"))![1]).toContain("state: done");
});

it("offers a model in the words of the web app, not with options of a command", () => {
  const priced = { ...facts, judgingCost: { judge: "a/b", method: "close", dollars: 2 } };
  const forTerminal = { ...made, letter: { ...priced, words: wordLetter(priced, made, "en") } };
  const notJudged = (judged: BookEvaluation) => judged.letter?.words.notJudged;
  expect(notJudged(forTerminal)).toContain("`--judge a/b`");
  expect(notJudged(besideOffer(forTerminal))).toBe(
    "Not judged: plot and structure. That takes a language model: choose “Read the story with a model”.",
  );
});
