import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { logOdds } from "../characters/character-map.ts";
import { consistencyOf } from "../consistency/consistency.ts";
import { habitsOf } from "../habits/habits.ts";
import { paceOf, shapeOf, syllablesOf } from "../pace/pace.ts";
import { loadReferenceWords, parseReferenceWords } from "../reference/reference-words.ts";
import { dialogueMap } from "../speakers/dialogue-map.ts";
import { viewpointOf } from "../viewpoint/viewpoint.ts";
import { readManuscript } from "./book-prose.ts";
import { mapManuscript, toneOf } from "./manuscript-map.ts";

const chaptersOf = (...texts: string[]) =>
  texts.map((text, index) => ({ index: index + 1, title: `Chapter ${index + 1}`, text }));
const read = (...texts: string[]) => readManuscript(chaptersOf(...texts));

describe("shape", () => {
  it("counts scenes and points to the first and last sentence of each chapter", () => {
    const text = "It rained. Anne waited.\n\n* * *\n\nMorning came. She left.";
    const { chapters } = shapeOf(read("Before.", text));
    expect(chapters[1]).toMatchObject({ words: 8, scenes: [4, 4], paragraphs: 2 });
    const { opening, closing } = chapters[1]!;
    expect(text.slice(opening.start, opening.end)).toBe("It rained.");
    expect(text.slice(closing.start, closing.end)).toBe("She left.");
    expect(closing.chapter).toBe(2);
  });

  it("counts Chinese characters, and dialogue in Chinese marks", () => {
    const map = mapManuscript(chaptersOf("他说：“你来了。”"), { language: "zh" });
    expect(map.shape.words).toBe(5);
    expect(map.dialogue.share).toBe(0.6);
    expect(map.characters).toBeNull();
  });
});

describe("dialogue", () => {
  it("finds turns in a row that nothing says the speaker of", () => {
    const turns = ["One.", "Two.", "Three.", "Four.", "Five.", "Six."].map((said) => `“${said}”`).join("\n\n");
    const { runs, tags } = dialogueMap(read(`“Well,” said Anne softly.\n\n${turns}\n\nIt was late.`));
    expect(runs.map((run) => run.turns)).toEqual([6]);
    expect(tags).toMatchObject([{ verb: "said", count: 1 }]);
  });

  it("counts adverbs on tags", () => {
    expect(dialogueMap(read("“Well,” she said softly. “Go,” he quietly replied.")).adverbs.count).toBe(2);
  });
});

describe("point of view and tense", () => {
  const past = "She went to the door and looked out. It was dark. He had gone. She was alone, and she knew it. ".repeat(
    5,
  );
  const present =
    "I am at the door. I look out, and he is there. He says nothing. He looks at me and turns away. ".repeat(5);

  it("is told per chapter", () => {
    expect(viewpointOf(read(past, present)).chapters).toMatchObject([
      { chapter: 1, person: "third", tense: "past" },
      { chapter: 2, person: "first", tense: "present" },
    ]);
  });

  it("shows the paragraph that slips into the present", () => {
    const slip = "She goes to the window. The garden is empty. He has left, and she knows it.";
    const bookProse = read(`${past}\n\n${slip}\n\n${past}`);
    const { slips, slipCount } = viewpointOf(bookProse);
    expect(slipCount).toBe(1);
    expect(slips[0]).toMatchObject({ kind: "tense" });
    expect(bookProse.prose.text.slice(slips[0]!.passage.start, slips[0]!.passage.end)).toBe(slip);
  });

  it("says nothing where there is no narration", () => {
    expect(viewpointOf(read("“Yes.”")).chapters[0]).toMatchObject({ person: null, tense: null });
  });
});

describe("pace", () => {
  it.each([
    ["cat", 1],
    ["table", 2],
    ["looked", 1],
    ["wanted", 2],
    ["beautiful", 3],
  ])("counts the syllables of %s", (word, count) => {
    expect(syllablesOf(word)).toBe(count);
  });

  it("tells dialogue, thought, action and description apart", () => {
    const { modes } = paceOf(
      read("“Come in now.” She wondered about it. He jumped across quickly. The house was old."),
    );
    expect(modes).toEqual({ dialogue: 3 / 15, thought: 0.2667, description: 0.2667, action: 0.2667 });
  });
});

describe("tone", () => {
  it("stays inside the band where good and bad words are mixed evenly", () => {
    const text = Array.from({ length: 300 }, (_, index) =>
      index % 2 ? "It was a happy day." : "It was a sad day.",
    ).join(" ");
    expect(toneOf(read(text), seededRandom(1)).isRandom).toBe(true);
  });

  it("leaves it where a book falls from joy to grief, and the peaks point there", () => {
    const text = ["It was a happy day. ".repeat(200), "It was a sad day. ".repeat(200)].join("");
    const tone = toneOf(read(text), seededRandom(1));
    expect(tone.isRandom).toBe(false);
    expect(tone.peaks.find(({ kind }) => kind === "high")!.at).toBeLessThan(0.5);
    expect(tone.peaks.find(({ kind }) => kind === "low")!.at).toBeGreaterThan(0.5);
  });

  it("gives no curve to a short text", () => {
    expect(toneOf(read("It was a happy day."), seededRandom(1))).toMatchObject({ points: [], isRandom: null });
  });
});

describe("habits", () => {
  const reference = loadReferenceWords();

  it("finds an overused phrase, an echo, weak openings, similes and clichés", () => {
    const filler =
      "The road went on through the valley and nobody came. The old men sat and talked of the war. ".repeat(40);
    const text = `${filler}For a moment he paused. ${"She waited for a moment. He looked at her for a moment. ".repeat(10)}
There was a house. It shimmered iridescent, and the lake was iridescent too. He ran like a deer as if the house were on fire.
Her heart skipped a beat.`;
    const habits = habitsOf(read(text), reference);
    expect(habits.overused.phrases.map(({ phrase }) => phrase)).toContain("for a moment");
    expect(habits.echoes.strongest.map(({ word }) => word)).toContain("iridescent");
    expect(habits.weakOpenings.count).toBe(1);
    expect(habits.stackedSimiles.count).toBe(1);
    expect(habits.cliches.phrases).toEqual([{ phrase: "heart skipped a beat", count: 1 }]);
  });

  it("does not take a character's name for a habit", () => {
    const { overused } = habitsOf(
      read("Then Marguerite rose, and Marguerite said that it was late. ".repeat(20)),
      reference,
    );
    expect(overused.words.map(({ phrase }) => phrase)).not.toContain("marguerite");
  });

  it("reads counts, and one count for what is not listed", () => {
    const words = parseReferenceWords("1000 10 40\n90 95000 the\n50 61000 of the\n");
    expect(words.counts.get("of the")).toBe(50);
    expect(words.high.get("of the")).toBe(61);
    expect(words.unlisted).toEqual({ word: 5, phrase: 20 });
  });

  it("weighs log-odds by how much text there is", () => {
    const counts = (entries: [string, number][], total: number) => ({ counts: new Map(entries), total });
    const prior = counts(
      [
        ["and", 300],
        ["moor", 3],
      ],
      10_000,
    );
    const [first] = logOdds(
      counts(
        [
          ["moor", 20],
          ["and", 30],
        ],
        1000,
      ),
      counts([["and", 30]], 1000),
      prior,
    );
    expect(first).toMatchObject({ word: "moor", first: 20, second: 0 });
  });
});

describe("consistency", () => {
  it("finds mixed marks, a second spelling of a name, a jump in the numbers and a chapter far too long", () => {
    const named = "Then Katherine looked up, and Katherine said no. ";
    const bookProse = readManuscript([
      { index: 1, title: "Chapter 1", text: `“Yes,” said Katherine — “no.” ${named.repeat(8)}` },
      { index: 2, title: "Chapter 2", text: `"Yes," said Katherine -- "no." ${named.repeat(8)} Then Katharine left.` },
      { index: 3, title: "Chapter 4", text: named.repeat(100) },
    ]);
    const found = consistencyOf(bookProse, shapeOf(bookProse));
    expect(found.quotationMarks.map(({ mark }) => mark)).toEqual(["“ ”", '"']);
    expect(found.dashes.map(({ mark }) => mark).sort()).toEqual(["--", "—"]);
    expect(found.numbering).toMatchObject([{ expected: 3, found: 4 }]);
    expect(found.longChapters).toMatchObject([{ chapter: 3 }]);
    expect(found.spellings).toMatchObject([{ usual: "Katherine", rare: "Katharine" }]);
  });
});
