import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assetPath } from "../core/assets.ts";
import { seededRandom, shuffled } from "../core/random.ts";
import { isScored } from "../core/verdict.ts";
import { JUROR_IDS } from "./juror.ts";
import { loadJury } from "./jury.ts";

const jury = await loadJury();
const story = await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8");
const prepared = jury.prepare(story);
const sentences = Array.from({ length: prepared.prose.sentenceCount }, (_, at) =>
  story.slice(prepared.prose.starts[at]!, prepared.prose.ends[at]!),
);
const judgeText = (text: string) => Object.values(jury.judge([jury.prepare(text)]));
const firstWords = (count: number) => story.replace(/^#.*$/gm, "").trim().split(/\s+/).slice(0, count).join(" ");

describe("the jury", () => {
  it("gives three scores on three scales, each with a range that holds its own error", () => {
    for (const { juror, overall } of judgeText(story)) {
      const { minimum, maximum } = jury.jurors[juror].scale;
      if (!isScored(overall)) throw new Error(overall.reason);
      const [low, high] = overall.interval!;
      expect(low).toBeGreaterThanOrEqual(minimum);
      expect(high).toBeLessThanOrEqual(maximum);
      expect(high - low).toBeGreaterThan(0.2 * (maximum - minimum));
    }
  });

  it("does not narrow a range because a book is long", () => {
    const width = (words: number) => {
      const { overall } = jury.jurors.crowd.judge([jury.prepare(firstWords(words))]);
      if (!isScored(overall)) throw new Error(overall.reason);
      return overall.interval![1] - overall.interval![0];
    };
    expect(width(6000)).toBeCloseTo(width(1500), 6);
    expect(width(200)).toBeGreaterThan(width(1500));
  });

  it("takes a score apart into its sentences exactly", () => {
    for (const juror of Object.values(jury.jurors)) {
      const { intercept, sentences: shares } = juror.explain(prepared)!;
      const { overall } = juror.judge([prepared]);
      const sum = shares.reduce((total, share) => total + share, intercept);
      expect(isScored(overall) && overall.score).toBeCloseTo(sum, 6);
    }
  });

  it("scores 40 words as an editor and 120 as the crowd, and says how many are needed", () => {
    expect(jury.jurors.editor.judge([jury.prepare(firstWords(60))]).overall.kind).toBe("scored");
    expect(jury.jurors.crowd.judge([jury.prepare(firstWords(60))]).overall).toMatchObject({
      kind: "unscored",
      reason: expect.stringContaining("at least 120 are needed"),
    });
    expect(jury.jurors.crowd.judge([jury.prepare(firstWords(140))]).overall.kind).toBe("scored");
  });

  it("judges a book the same whether it comes in chapters or as one text", () => {
    const half = story.indexOf("\n\n", story.length / 2);
    const parts = [story.slice(0, half), story.slice(half)].map(jury.prepare);
    for (const juror of JUROR_IDS) {
      const [whole, split] = [jury.jurors[juror].judge([prepared]), jury.jurors[juror].judge(parts)];
      const points = jury.jurors[juror].scale.maximum / 100;
      if (!isScored(whole.overall) || !isScored(split.overall)) throw new Error("unscored");
      expect(Math.abs(whole.overall.score - split.overall.score)).toBeLessThan(points);
      expect(split.chapters).toHaveLength(2);
    }
  });

  it("never gives a percentile to what it did not learn from", () => {
    const old = `It was the custom of our respectable forefathers, whensoever a stranger of quality should arrive at the
      manor, that the eldest of the household should go forth to the gate, and there, with his hat beneath his arm, pronounce
      a welcome which, although it was delivered without preparation, had been rehearsed upon so many former occasions that
      not one of those assembled could fail to anticipate its conclusion. Upon the morning of which I have now the honour to
      write, the gentleman in question, Mr. Thornbury, had risen betimes; and having partaken of a frugal repast, he
      ascended to the turret, from whence he might survey the turnpike road for the space of nearly two leagues. He had not
      long remained there when he perceived, through the vapours that hung upon the meadows, a carriage drawn by four
      horses, which advanced with such rapidity as to leave him in no doubt that its occupant was impelled by some motive
      of the utmost urgency; whereupon he descended, not without trepidation, and bade the servants make ready.`;
    expect(jury.jurors.grader.judge([jury.prepare(old)])).toMatchObject({
      domain: "outside",
      caveat: "outside what this juror learnt from: it reads like an older novel",
    });
  });
});

describe("what is no story", () => {
  const recipe = `Rub the butter into the flour until the mixture looks like fine crumbs, then stir in the sugar. Add enough cold
    water to bring the dough together, wrap it and leave it in the fridge for half an hour. Heat the oven to 200 degrees. Roll
    the pastry out on a floured surface, line a shallow tin with it and prick the base with a fork. Peel and slice the apples,
    arrange them in circles and scatter them with the remaining sugar and a little cinnamon. Bake for thirty-five minutes, or
    until the edges are golden. Warm the jam with a spoonful of water, strain it and brush it over the fruit while it is still
    hot. Serve with cream or custard. The tart keeps for two days in a cool place, and the unbaked case can be frozen for up to
    a month; there is no need to thaw it before filling, but allow ten more minutes in the oven.`;

  it("is refused by every juror: a recipe does not read as a story", () => {
    for (const { juror, overall } of judgeText(recipe)) {
      expect([juror, overall]).toEqual([
        juror,
        { kind: "unscored", reason: expect.stringContaining("does not read as a story") },
      ]);
    }
  });

  it("is not a story with a recipe in it", () => {
    const both = jury.judge([jury.prepare(story.slice(0, 12_000)), jury.prepare(recipe)]);
    expect(both.crowd.overall.kind).toBe("scored");
  });

  it("is verse, which is refused as such", () => {
    const verse = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? "The kettle sang upon the stove" : "And all the house was still,",
    ).join("\n");
    for (const { overall } of judgeText(`${verse}\n${verse}`)) expect(overall.kind).toBe("unscored");
  });
});

describe("what is not connected prose", () => {
  const random = seededRandom(5);
  const refused: Record<string, string> = {
    "the same sentences in random order": shuffled(sentences, random).join(" "),
    "words in random order": shuffled(story.split(/\s+/).slice(0, 900), random).join(" "),
    "a list of words": Array.from({ length: 60 }, (_, at) => `${sentences[at]!.split(" ")[0]} lamp ${at} kettle`).join(
      "\n",
    ),
    "a table of contents": Array.from(
      { length: 40 },
      (_, at) => `${at + 1} The Inspector and the Scales of the Town`,
    ).join("\n"),
    "program code":
      "const total = items.map((item) => item.price * item.count).filter((x) => x > 0);\nif (total[0] === 1) { return [{ id: 7, name: 'a' }]; }\n".repeat(
        12,
      ),
    German:
      "Der Prüfer stellte die Waage auf den Tisch und wartete, bis die Frau des Müllers die Tür geschlossen hatte. Er sprach nicht, denn er wusste, dass sie ihm nicht glauben würde. ".repeat(
        8,
      ),
  };
  for (const [kind, text] of Object.entries(refused)) {
    it(`is refused by every juror, with a reason: ${kind}`, () => {
      for (const { overall, juror } of judgeText(text)) {
        expect([juror, overall.kind]).toEqual([juror, "unscored"]);
      }
    });
  }

  it("is not dialogue without narration, nor one long breath without a stop", () => {
    const talk = story
      .match(/"[^"\n]{20,}"/g)!
      .slice(0, 60)
      .join("\n\n");
    const breath = `${story
      .slice(800, 6000)
      .toLowerCase()
      .replace(/[^a-z]+/g, " ")}.`;
    for (const text of [talk, breath])
      expect(jury.jurors.crowd.judge([jury.prepare(text)]).overall.kind).toBe("scored");
  });
});

describe("line notes", () => {
  it("give every sentence a probability and stand where the sentence stands", () => {
    const notes = jury.notes.read(prepared);
    expect(notes).toHaveLength(sentences.length);
    expect(notes.map(({ start, end }) => story.slice(start, end))).toEqual(sentences);
    for (const { change, why } of notes) {
      expect(change).toBeGreaterThan(0);
      expect(change).toBeLessThan(1);
      expect(why === null || jury.notes.reasons.includes(why)).toBe(true);
    }
  });

  it("flag a worn phrase before a plain one", () => {
    const text =
      "She closed the door and put the key on the hook. In that moment, a profound sense of hope washed over her heart, a testament to the unspoken bond they shared.";
    const [plain, worn] = jury.notes.read(jury.prepare(text));
    expect(worn!.change).toBeGreaterThan(plain!.change);
  });
});
