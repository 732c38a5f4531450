import { expect, it } from "vitest";
import { REPAIRED_DRAFT } from "../../../test/support/drafts-with-faults.ts";
import { seededRandom } from "../../core/random.ts";
import { compareFindings } from "../../letter/findings.ts";
import { checkBook } from "../../prose/checks/check-book.ts";
import { readManuscript } from "../../prose/map/book-prose.ts";
import { readBookFromBytes } from "../../text/read-book.ts";
import { recheckChapter, reviseBook } from "./revisions.ts";

const book = await readBookFromBytes(new TextEncoder().encode(REPAIRED_DRAFT), "storm.md");

it("a chapter under revision is told what a check of the whole book tells of it, after every change", async () => {
  const [first, second] = book.chapters;
  const [paragraph] = first!.text.split("\n\n");
  const end = second!.text.indexOf("\n\n");
  for (const text of [
    "Thirty-four names stood on the wall.",
    paragraph!,
    "“Hadley is not here,” said Mrs. Crane. She had gone.",
  ]) {
    const revisions = [{ chapter: second!.index, start: 0, end, text }];
    const { fixed, still, new: added } = await recheckChapter(book, revisions, second!.index);
    // Uses new objects and other chapters, so that nothing comes from the cache.
    const whole = structuredClone(reviseBook(book, revisions, "next.json").book);
    const expected = compareFindings(checkBook(structuredClone(book)).findings, checkBook(whole).findings);
    const touches = ({ passages }: (typeof added)[number]) => passages.some(({ chapter }) => chapter === second!.index);
    expect({ fixed, still, added }).toEqual({
      fixed: expected.fixed.filter(touches),
      still: expected.still.map(({ after }) => after).filter(touches),
      added: expected.new.filter(touches),
    });
  }
});

it("chapters read one by one are the same as the book read as one, whatever stands in them", () => {
  const random = seededRandom(4);
  const pieces = [
    "“Mr. Bell,” she said.",
    "‘No.’",
    "\n\n",
    "\n",
    " — ",
    "It’s Ann's; O'Neill 24-year-old.",
    "* * *",
    "ÉTÉ",
    "…",
    " ",
    "1801.",
    "“",
  ];
  for (let round = 0; round < 200; round++) {
    const chapters = Array.from({ length: 2 + Math.floor(4 * random()) }, (_, at) => {
      const drawn = Array.from(
        { length: 1 + Math.floor(30 * random()) },
        () => pieces[Math.floor(random() * pieces.length)],
      );
      return { index: at + 1, title: null, text: `A${drawn.join("")}.`.trim() };
    });
    const [known, whole] = [readManuscript(chapters, undefined, new WeakMap()), readManuscript(chapters)];
    expect(known.prose).toEqual(whole.prose);
    expect(known.sentences).toEqual(whole.sentences);
    expect(known.chapters).toEqual(whole.chapters);
  }
});
