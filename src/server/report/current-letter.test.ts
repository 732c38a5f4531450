import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { type Finding, findingId } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import type { EditLetter, Story } from "../../judge/letter/parts.ts";
import { NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { BookLibrary } from "../library/book-library.ts";
import { EvaluationFiles } from "../library/evaluation-files.ts";
import { currentFindings, currentLetter } from "./current-letter.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-letter-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function finding(title: string, origin: Finding["origin"]): Finding {
  const passages = [{ chapter: 1, start: 0, end: title.length, quote: title }];
  return {
    id: findingId("character", passages),
    ...{ kind: "character", title, claim: title, severity: "should", certainty: 0.9, origin, passages, advice: "" },
  };
}

const STORY: Story = {
  premise: "",
  question: "",
  chapters: [],
  people: [{ name: "Rosamund", also: [], role: "", wants: "", arc: "", passages: [] }],
  threads: [{ thread: "Who rang?", opened: null, closed: null }],
};

function letter(findings: readonly Finding[], story?: Story): EditLetter {
  return {
    findings: [...findings],
    outside: [],
    reference: null,
    words: { language: "en", opening: [], figures: "", notJudged: "" },
    ...(story && {
      close: {
        shown: "book",
        story,
        page: null,
        pageMissing: "",
        counts: {
          ...{ made: 1, unsupported: 0, merged: 0, explained: 0, refuted: 0, unchecked: 0 },
          ...{ quotations: 1, quotationsMissing: 0 },
        },
        unanswered: [],
      },
    }),
  };
}

it("the letter is counted again after the writer corrected the characters, follows the corrections in the story, and keeps what a model found", async () => {
  const books = await BookLibrary.open(join(folder, "books"), systemClock);
  let hours = -3;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + hours * 3_600_000) };
  const evaluations = await EvaluationFiles.open(join(folder, "evaluations"), clock);
  const path = join(folder, "upload");
  await writeFile(path, "# One\n\nRosamund rang.");
  const { id } = await books.add({ path, sha256: sha256("one"), name: "one.md" });
  const [plot, gone, other] = [
    finding("The bell is stolen twice", "read"),
    finding("Rosamund is not seen again", "counted"),
    finding("Two names look alike", "counted"),
  ];
  const read = await evaluations.add(id, {
    ...sampleEvaluation({ method: "close" }),
    letter: letter([plot, gone], STORY),
  });
  const now = () => currentLetter(read.id, { books, evaluations });
  expect(await now()).toMatchObject({ countedAt: null, evaluation: { letter: { findings: [plot, gone] } } });
  const shown = async () => (await currentFindings(evaluations.summary(read.id), { books, evaluations })).length;
  expect(await shown()).toBe(2);
  // Counted again without a correction to the characters: the letter does not claim to follow one.
  hours = -2;
  await evaluations.add(id, { ...sampleJuryEvaluation(), letter: letter([]) });
  expect(await now()).toMatchObject({ countedAt: null, evaluation: { letter: { findings: [plot] } } });
  expect(await shown()).toBe(1);

  hours = 1;
  await books.correctCharacters(id, { ...NO_CORRECTIONS, rename: [{ from: "Rosamund", to: "Rosalind" }] });
  await books.writerSays(id, (said) => ({ ...said, facts: ["Thread “Who rang?”, is in the story: no"] }));
  const again = await evaluations.add(id, { ...sampleJuryEvaluation(), letter: letter([other]) });
  const current = await now();
  expect(current.countedAt).toBe(again.createdAt);
  expect(current.evaluation.letter?.findings.map(({ title }) => title)).toEqual([plot.title, other.title]);
  // The page shows what was read beside its correction; files hold the story as it is corrected.
  expect(current.story).toMatchObject({ people: [{ name: "Rosalind" }], threads: [{ thread: "Who rang?" }] });
  expect(current.evaluation.letter?.close?.story).toMatchObject({ people: [{ name: "Rosalind" }], threads: [] });
});
