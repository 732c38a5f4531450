import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { isScored } from "../../core/verdict.ts";
import { readBook } from "../../text/read-book.ts";
import { JUROR_IDS } from "../juror.ts";
import { loadJury } from "../jury.ts";
import { reasonNotToRead } from "../readable.ts";

const jury = await loadJury();
const EXAMPLE = assetPath("examples", "the-inspector-of-weights.md");
const story = await readFile(EXAMPLE, "utf8");
const english = (await readBook(EXAMPLE)).chapters[0]!.text.split("\n\n").slice(0, 24);
const FRENCH =
  "Il regarda longtemps la rivière sans rien dire, puis il reprit le chemin de la maison où sa mère l'attendait depuis le matin. Les voisins parlaient à voix basse devant la porte, et personne ne savait pourquoi les enfants étaient partis si tôt. Elle posa la lampe sur la table, ouvrit la fenêtre et compta les pièces qui restaient dans la boîte.";
const reason = (text: string) => reasonNotToRead([jury.prepare(text)], 40);

describe("one sentence repeated sixty times", () => {
  const sentence = "The luminous silence of the harbour held its breath beneath an indifferent moon.";

  it("is refused by every juror", () => {
    const text = jury.prepare(Array.from({ length: 60 }, () => sentence).join(" "));
    for (const id of JUROR_IDS) {
      expect(jury.jurors[id].judge([text]).overall).toMatchObject({
        kind: "unscored",
        reason: "the text is one sentence repeated again and again",
      });
    }
  });

  it("is what a few paragraphs in a loop are to the editor, which never saw such a text", () => {
    const loop = jury.prepare(`${english.slice(0, 5).join("\n\n")}\n\n`.repeat(6));
    expect(jury.jurors.editor.judge([loop]).caveat).toContain("it says the same sentences again and again");
    expect(jury.jurors.grader.judge([loop]).caveat ?? "").not.toContain("again and again");
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
        ground: "outside",
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
  it("moves neither score nor ground where each paragraph is a chapter", () => {
    const whole = [jury.prepare(english.join("\n\n"))];
    const cut = english.map((paragraph) => jury.prepare(paragraph));
    for (const id of JUROR_IDS) {
      const [one, many] = [jury.jurors[id].judge(whole), jury.jurors[id].judge(cut)];
      if (!isScored(one.overall) || !isScored(many.overall)) throw new Error(`the ${id} must score both`);
      const { minimum, maximum } = jury.jurors[id].scale;
      expect(Math.abs(one.overall.score - many.overall.score)).toBeLessThan(0.01 * (maximum - minimum));
      expect(many.ground).toBe(one.ground);
      expect(many.chapters).toHaveLength(english.length);
    }
  });
});
