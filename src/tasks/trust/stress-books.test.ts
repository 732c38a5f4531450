import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { DAMAGES } from "../../judge/stress/damages.ts";
import { JUROR_IDS } from "../../jury/juror.ts";
import { readBook } from "../../text/read-book.ts";
import { STRESS_NOISE } from "./score-differences.ts";
import { stressBooks } from "./stress-books.ts";

const EXAMPLE = assetPath("examples", "the-inspector-of-weights.md");
const book = await readBook(EXAMPLE);
const source = (seed: number) => ({ random: seededRandom(seed), strength: 1, donor: book });

describe("damages", () => {
  it("do the same to a book for the same seed, and leave the book itself alone", () => {
    const before = JSON.stringify(book);
    for (const damage of DAMAGES) {
      expect(JSON.stringify(damage.apply(book, source(3)))).toBe(JSON.stringify(damage.apply(book, source(3))));
    }
    expect(JSON.stringify(book)).toBe(before);
  });

  it("change the text, whatever they are", () => {
    const text = (chapters: readonly { readonly text: string }[]) => chapters.map((chapter) => chapter.text).join("\n");
    for (const damage of DAMAGES.filter(({ id }) => id !== "quotation-marks" && id !== "spelling-convention")) {
      const changed = damage.apply(book, source(4));
      expect([damage.id, changed !== null && text(changed.chapters) !== text(book.chapters)]).toEqual([
        damage.id,
        true,
      ]);
    }
  });

  it("keep every sentence when they shuffle", () => {
    const words = (chapters: readonly { readonly text: string }[]) =>
      chapters
        .flatMap(({ text }) => text.split(/\s+/))
        .sort()
        .join(" ");
    for (const id of ["sentences-in-chapter", "sentences-in-book", "paragraphs", "chapters"]) {
      const shuffledBook = DAMAGES.find((damage) => damage.id === id)!.apply(book, source(5))!;
      expect(words(shuffledBook.chapters)).toBe(words(book.chapters));
    }
  });
});

/** The editor was trained on paragraphs with little dialogue; its card says what follows from that. */
const KNOWN_WRONG = { crowd: [], editor: ["no-dialogue"], grader: [] };

describe("a stress test of the jury", () => {
  it.each(JUROR_IDS)("takes the %s's noise from what its card says was measured", async (juror) => {
    const card = await readFile(assetPath("models", juror, "CARD.md"), "utf8");
    expect(card).toContain(`Noise: ±${STRESS_NOISE[juror].toFixed(2)} points`);
  });

  for (const judge of JUROR_IDS) {
    it(`the ${judge} never rates a scrambled book above the book, nor other damage beyond its own noise, but for what its card says`, async () => {
      const { summary, books, threshold } = await stressBooks({
        files: [EXAMPLE],
        judge,
        seed: 1,
        strength: 1,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      const scrambled = books[0]!.rows.find(({ damage }) => damage === "sentences-in-book")!;
      expect(scrambled.reaction).toBe("right");
      expect(threshold).toContain(`more than ${STRESS_NOISE[judge]} points`);
      // Every change has an interval.
      expect(summary.filter(({ meanMove, interval }) => (meanMove === null) !== (interval === null))).toEqual([]);
      expect(summary.filter(({ counts }) => counts.wrong > 0).map(({ damage }) => damage)).toEqual(KNOWN_WRONG[judge]);
      expect(summary.filter(({ harmless, counts }) => harmless && counts.right === 1)).not.toHaveLength(0);
    });
  }
});
