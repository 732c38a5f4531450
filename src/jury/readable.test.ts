import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assetPath } from "../core/assets.ts";
import { seededRandom, shuffled } from "../core/random.ts";
import { isScored } from "../core/verdict.ts";
import { readBook } from "../text/read-book.ts";
import { JUROR_IDS } from "./juror.ts";
import { loadJury } from "./jury.ts";
import { measureOrder, reasonOutOfOrder } from "./order.ts";
import { prepareText } from "./prepare-text.ts";
import { reasonNotToRead } from "./readable.ts";

const jury = await loadJury();
const EXAMPLE = assetPath("examples", "the-inspector-of-weights.md");
const story = await readFile(EXAMPLE, "utf8");
const english = (await readBook(EXAMPLE)).chapters[0]!.text.split("\n\n").slice(0, 24);
const FRENCH =
  "Il regarda longtemps la rivière sans rien dire, puis il reprit le chemin de la maison où sa mère l'attendait depuis le matin. Les voisins parlaient à voix basse devant la porte, et personne ne savait pourquoi les enfants étaient partis si tôt. Elle posa la lampe sur la table, ouvrit la fenêtre et compta les pièces qui restaient dans la boîte.";
const reason = (text: string) => reasonNotToRead([jury.prepare(text)], 40);

describe("repetition", () => {
  const LENGTHS = [80, 300, 3000];
  const repeated = (length: number, sentence: (place: number) => string) =>
    jury.prepare(Array.from({ length }, (_, place) => sentence(place)).join(" "));

  it.each<[string, (place: number) => string, RegExp]>([
    ["a sentence of two words", () => "It rained.", /one sentence repeated again and again/],
    [
      "a long sentence",
      () => "The luminous silence of the harbour held its breath beneath an indifferent moon.",
      /one sentence repeated/,
    ],
    ["numbered sentences", (place) => `On day ${place + 1} it rained.`, /one sentence repeated/],
    [
      "four sentences in turn",
      (place) => ["It rained.", "The river rose over the road.", "She waited for him.", "Nobody came."][place % 4]!,
      /only \d+% of its words are in sentences that did not occur before/,
    ],
    [
      "a sentence with a changing word",
      (place) => `It rained on the ${place.toString(36)}house again that day.`,
      /repeats itself/,
    ],
  ])("is refused by every juror, whatever the length: %s", (_, sentence, reason) => {
    for (const length of LENGTHS) {
      const text = repeated(length, sentence);
      for (const id of JUROR_IDS) {
        expect(jury.jurors[id].judge([text]).overall, `${id}, ${length}`).toMatchObject({
          kind: "unscored",
          reason: expect.stringMatching(reason),
        });
      }
    }
  });

  it("is refused when paragraphs come in a loop, and when most chapters are the same", () => {
    expect(reason(`${english.slice(0, 5).join("\n\n")}\n\n`.repeat(6))).toContain("the text repeats itself");
    const chapter = jury.prepare(english.join("\n\n"));
    expect(reasonNotToRead([chapter, chapter, chapter], 40)).toContain("the text repeats itself");
  });

  it("gives the score of every juror a caveat where much of a text is said twice", () => {
    const text = jury.prepare([...english, ...english.slice(0, 18)].join("\n\n"));
    for (const id of JUROR_IDS) {
      expect(jury.jurors[id].judge([text])).toMatchObject({
        overall: { kind: "scored" },
        caveat: expect.stringContaining("it says the same sentences again and again"),
      });
    }
  });

  it("is not a refrain", () => {
    const song = english.flatMap((paragraph, at) =>
      at % 3 === 0 ? [paragraph, "“It rained,” he said."] : [paragraph],
    );
    expect(reason(song.join("\n\n"))).toBeNull();
  });
});

describe("a text that is only partly English", () => {
  const mixed = (every: number) =>
    english.flatMap((paragraph, at) => (at % every === 0 ? [paragraph, FRENCH] : [paragraph])).join("\n\n");

  it("is refused where much of it is French", () => {
    expect(reason(`${english.slice(0, 8).join("\n\n")}\n\n${`${FRENCH}\n\n`.repeat(4)}`)).toMatch(
      /^the text is only partly English \(about \d\d% of it looks like French\)/,
    );
    expect(reason(english.join("\n\n"))).toBeNull();
  });

  it("is scored with a caveat where some of it is", () => {
    const text = jury.prepare(mixed(8));
    for (const id of JUROR_IDS) {
      expect(jury.jurors[id].judge([text])).toMatchObject({
        domain: "outside",
        caveat: expect.stringMatching(/about \d\d% of it looks like French/),
      });
    }
  });
});

describe("a text in capitals", () => {
  it("is refused for that, and not for its small words", () => {
    expect(reason(story.slice(0, 6000).toUpperCase())).toContain("set in capitals throughout");
  });
});

describe("the cut into chapters", () => {
  it("moves neither score nor domain where each paragraph is a chapter", () => {
    const whole = [jury.prepare(english.join("\n\n"))];
    const cut = english.map((paragraph) => jury.prepare(paragraph));
    for (const id of JUROR_IDS) {
      const [one, many] = [jury.jurors[id].judge(whole), jury.jurors[id].judge(cut)];
      if (!isScored(one.overall) || !isScored(many.overall)) throw new Error(`the ${id} must score both`);
      const { minimum, maximum } = jury.jurors[id].scale;
      expect(Math.abs(one.overall.score - many.overall.score)).toBeLessThan(0.01 * (maximum - minimum));
      expect(many.domain).toBe(one.domain);
      expect(many.chapters).toHaveLength(english.length);
    }
  });
});

/** A different word for each number. */
const wordFor = (number: number) =>
  [...number.toString(26).padStart(3, "0")]
    .map((digit) => "abcdefghijklmnopqrstuvwxyz"[Number.parseInt(digit, 26)])
    .join("");

describe("paragraphs in random order", () => {
  /** Each paragraph repeats words of earlier ones, as in a story. */
  const inOrder = Array.from({ length: 25 }, (_, chapter) =>
    Array.from({ length: 60 }, (__, place) => {
      const words = [0, 1, 2, 3].map((step) => `th${wordFor(60 * chapter + place + step)}`);
      return `He carried the ${words[0]} to the door. The ${words[0]} was heavy, and beside the ${words[1]} and the ${words[2]} stood a ${words[3]}.`;
    }),
  );
  const reasonFor = (book: readonly (readonly string[])[]) =>
    reasonOutOfOrder(book.map((paragraphs) => prepareText(paragraphs.join("\n\n"))));

  it("are refused, though every paragraph is whole", () => {
    const random = seededRandom(3);
    const mixed = inOrder.map((paragraphs) => shuffled(paragraphs, random));
    expect(reasonFor(mixed)).toContain("neighbouring paragraphs have no more in common");
    expect(reasonFor(inOrder)).toBeNull();
  });
});

describe("a writer who avoids the word just used", () => {
  it("is not taken for sentences in random order", () => {
    // Every noun recurs after twelve sentences and never sooner: fewer links than by chance.
    const text = Array.from(
      { length: 1500 },
      (_, at) => `${at % 2 ? "She" : "He"} ran ${wordFor(at)} and laid the th${wordFor(at % 12)} on a table.`,
    ).join(" ");
    const { links, linksLimit } = measureOrder([prepareText(text)]);
    expect(links).toBeGreaterThan(linksLimit);
  });
});
