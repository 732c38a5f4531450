import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { readBook, readBookFromBytes } from "../../text/read-book.ts";
import { readSigns, reasonNotConnected } from "../connected-prose.ts";
import { prepareText } from "../prepare-text.ts";
import { countStrayTags, mostStrayTags } from "./stray-tags.ts";
import { findTwoCasts } from "./two-casts.ts";

const story = await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8");
const chapters = (await readBook(assetPath("examples", "the-inspector-of-weights.md"))).chapters.map(({ text }) =>
  prepareText(text),
);

describe("a book that lost its dialogue", () => {
  const spoken = /[“"][^“”"\n]{1,600}[”"]/gu;

  it("is refused, and the reason says what is missing", () => {
    const silent = prepareText(story.replace(spoken, ""));
    expect(reasonNotConnected([silent])).toContain("the dialogue seems to be missing");
    expect(reasonNotConnected(chapters)).toBeNull();
  });

  it("is not a book that sets its speech without quotation marks", () => {
    expect(countStrayTags([story.replace(/["“”]/g, "")]).stray).toBeLessThan(5);
  });

  it("is not one whose lines break between a speech and its tag", () => {
    const broken = "“I weighed it twice,”\n\nsaid the miller.\n\n".repeat(12);
    expect(countStrayTags([broken])).toEqual({ stray: 0, attached: 12 });
  });

  it("has no more stray tags than small letters at the start of a line or after a full stop", () => {
    const piece = fc.constantFrom(
      "said",
      "asked",
      "he ",
      "she ",
      "they ",
      "Emma",
      "x",
      ".",
      "”",
      "’",
      " ",
      "\u00a0",
      "\n",
      "\u2028",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        expect(mostStrayTags([text])).toBeGreaterThanOrEqual(countStrayTags([text]).stray);
      }),
      { numRuns: 1000 },
    );
    expect(mostStrayTags(chapters.map(({ text }) => text))).toBeLessThan(5);
  });
});

describe("two books mixed paragraph by paragraph", () => {
  const casts = [
    ["Anselm", "Berta", "Corvin", "Dorte"],
    ["Milo", "Nadja", "Osric", "Petra"],
  ] as const;
  const paragraph = (place: number, cast: readonly string[]) =>
    `In the morning ${cast[place % 4]} carried the lamp past the window where old ${cast[(place + 1) % 4]} was mending a net.`;
  const mixed = Array.from({ length: 240 }, (_, place) => paragraph(place >> 1, casts[place % 2]!));

  it("are told by casts that share the pages and never meet", () => {
    const found = findTwoCasts([prepareText(mixed.join("\n\n"))]);
    expect(found?.meetings).toBeLessThan(0.05);
    expect([...found!.names].sort()).toEqual(found!.names.includes("Milo") ? casts[1] : casts[0]);
    expect(reasonNotConnected([prepareText(mixed.join("\n\n"))])).toContain("two books seem to be mixed");
  });

  it("are not one book whose chapters follow two casts in turn", () => {
    const byChapter = casts.map((cast) =>
      prepareText(Array.from({ length: 120 }, (_, place) => paragraph(place, cast)).join("\n\n")),
    );
    expect(findTwoCasts(byChapter)).toBeNull();
  });
});

/** A word for each number, none like another. */
const wordFor = (number: number) =>
  [...number.toString(26).padStart(3, "0")]
    .map((digit) => "abcdefghijklmnopqrstuvwxyz"[Number.parseInt(digit, 26)])
    .join("");

describe("paragraphs in random order", () => {
  /** Each paragraph takes up words of those before, as a story does. */
  const inOrder = Array.from({ length: 25 }, (_, chapter) =>
    Array.from({ length: 60 }, (__, place) => {
      const [first, second, third, fourth] = [0, 1, 2, 3].map((step) => `th${wordFor(60 * chapter + place + step)}`);
      return `He carried the ${first} to the door. The ${first} was heavy, and beside the ${second} and the ${third} stood a ${fourth}.`;
    }),
  );
  const reason = (book: readonly (readonly string[])[]) =>
    reasonNotConnected(book.map((paragraphs) => prepareText(paragraphs.join("\n\n"))));

  it("are refused, though every paragraph is whole", () => {
    const random = seededRandom(3);
    const mixed = inOrder.map((paragraphs) => shuffled(paragraphs, random));
    expect(reason(mixed)).toContain("neighbouring paragraphs have no more in common");
    expect(reason(inOrder)).toBeNull();
  });
});

describe("a writer who avoids the word just used", () => {
  it("is not taken for sentences in random order", () => {
    // Every noun comes again after twelve sentences and never sooner: fewer links than chance would give.
    const text = Array.from(
      { length: 1500 },
      (_, at) => `${at % 2 ? "She" : "He"} ran ${wordFor(at)} and laid the th${wordFor(at % 12)} on a table.`,
    ).join(" ");
    expect(readSigns([prepareText(text)]).links).toBeGreaterThan(5);
    expect(reasonNotConnected([prepareText(text)])).toBeNull();
  });
});

describe("a play", () => {
  const speeches = Array.from({ length: 40 }, (_, at) =>
    at % 2
      ? "I thought that you had locked it before we went up."
      : "Did you lock the door when you came in from the yard?",
  );

  it("is refused as one, however its names are set", () => {
    for (const names of [
      ["ANNA.", "TOM."],
      ["ANNA:", "TOM (aside):"],
      ["Anna:", "Tom Hale:"],
    ]) {
      const play = speeches.map((speech, at) => `${names[at % 2]} ${speech}`).join("\n\n");
      expect(reasonNotConnected([prepareText(play)])).toContain("the text is set as a play");
    }
  });

  it("is refused where the names stand on lines of their own", () => {
    const names = ["ANNA", "OLD TOM"];
    const play = speeches.map((speech, at) => `${names[at % 2]}\n${speech}`).join("\n\n");
    expect(reasonNotConnected([prepareText(play)])).toContain("the text is set as a play");
  });

  it("is refused where reading a file joined each name with its speech, or kept a script's narrow lines", async () => {
    const wrapped = (speech: string) => speech.replace(/(.{10,30}) /g, "$1\n");
    const settings: [file: string, set: (name: string, speech: string) => string][] = [
      ["play.txt", (name, speech) => `${name}\n${speech}`],
      ["play.md", (name, speech) => `${name}\n${speech}`],
      ["play.md", (name, speech) => `**${name}**\n${speech}`],
      ["play.txt", (name, speech) => `${name} (aside)\n${speech} ${speech}`],
      ["play.txt", (name, speech) => `            ${name}\n${wrapped(speech).replace(/^/gm, "    ")}`],
      ["play.txt", (name, speech) => `Mrs. ${name[0]}${name.slice(1).toLowerCase()}: ${speech}`],
    ];
    for (const [file, set] of settings) {
      const play = speeches.map((speech, at) => set(["ANNA", "TOM"][at % 2]!, speech)).join("\n\n");
      const read = await readBookFromBytes(new TextEncoder().encode(`ACT ONE\n\n${play}\n`), file);
      const reason = reasonNotConnected(read.chapters.map(({ text }) => prepareText(text)));
      expect(reason, `${file}: ${play.slice(0, 60)}`).toContain("the text is set as a play");
    }
  });

  it("is not a novel whose chapters are headed by who tells them", () => {
    const told = Array.from({ length: 8 }, (_, at) => {
      const lines = speeches.slice(0, 12).map((speech, line) => `In year ${at * 20 + line} she asked: ${speech}`);
      return `${["DARL", "CASH"][at % 2]}\n${lines.join("\n")}`;
    });
    expect(readSigns(told.map((text) => prepareText(text))).playLines).toBeLessThan(0.2);
  });

  it("is not a conversation in a story", () => {
    const story = speeches.map((speech, at) => `“${speech} And that is the answer to number ${at}.”`).join("\n\n");
    expect(reasonNotConnected([prepareText(story)])).toBeNull();
  });
});

describe("headings in capitals", () => {
  it("are not taken for the cast of another book", () => {
    const words = ["THE", "OF", "AND", "CHAPTER"];
    const text = Array.from({ length: 240 }, (_, at) =>
      at % 2
        ? `In the morning ${["Anselm", "Berta", "Corvin", "Dorte"][at % 4]} met ${["Edda", "Falk", "Gerda", "Hanno"][(at >> 2) % 4]} by the mill.`
        : `They read what was written there: it was ${words.join(" ")} and no more.`,
    ).join("\n\n");
    expect(reasonNotConnected([prepareText(text)])).toBeNull();
  });
});
