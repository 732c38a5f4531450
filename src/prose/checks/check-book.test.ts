import { describe, expect, it } from "vitest";
import { inputs } from "../../../test/support/inputs.ts";
import { randomInteger, seededRandom } from "../../core/random.ts";
import { readManuscript } from "../map/book-prose.ts";
import { attributeConflicts } from "./attributes.ts";
import { chapterNumber, chapterOrder } from "./chapter-order.ts";
import { type Check, sentenceAround } from "./check.ts";
import { checkBook, isQuestion } from "./check-book.ts";
import { nameVariants } from "./name-variant.ts";
import { expositionBlocks, quietStretches } from "./pace.ts";
import { stateConflicts, vanishedCharacters } from "./people.ts";
import { otherMinds } from "./point-of-view.ts";
import { overused, repeatedPassages } from "./repetition.ts";
import { personShifts, tenseShifts } from "./tense-and-person.ts";

const THINGS =
  "lamp boat ledger kettle ladder window barrel letter rope stove harbour lantern chair basket hammer bottle".split(
    " ",
  );
const DEEDS = "carried folded counted watched opened lifted cleaned painted moved measured turned covered".split(" ");
const PLACES = "cellar garden yard kitchen office market chapel orchard tower mill".split(" ");

/** Plain narration in which no five words repeat nearby: what somebody did, day after day. */
function days(name: string, pronoun: string, from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => {
    const day = from + index;
    const [thing, deed, place] = [THINGS[day % 16]!, DEEDS[(day * 5) % 12]!, PLACES[(day * 3) % 10]!];
    const other = THINGS[(day * 7 + 3) % 16]!;
    return `On day ${"xvi".repeat(1 + (day % 3))} ${name} ${deed} the ${thing} in the ${place}. Then ${pronoun} looked at the ${other} and ${DEEDS[(day * 11 + 1) % 12]} it. “Enough for today,” said ${name}. ${name} went home to the ${PLACES[(day * 7 + 2) % 10]}, and ${pronoun} slept.`;
  }).join("\n\n");
}

const book = (...texts: string[]) => texts.map((text, index) => ({ index: index + 1, title: null, text, words: 0 }));
const found = (check: Check, ...texts: string[]) => check(readManuscript(book(...texts)));
const claims = (check: Check, ...texts: string[]) => found(check, ...texts).map(({ claim }) => claim);

const STORM =
  "The storm came over the hill at dusk, and for an hour nobody in the village could hear a word above the wind. Slates flew from the church like birds, the old elm behind the smithy split down to its root, and the river took the footbridge.";
const STORM_AGAIN =
  "The storm came over the hill at dusk, and for an hour nobody in the valley could hear a word above the wind. Slates flew from the church like birds, the old elm behind the smithy split down to its foot, and the river took the footbridge.";

describe("repeated-passage", () => {
  it("finds a passage that appears twice, though a word or two changed", () => {
    const [one, ...others] = found(repeatedPassages, `${STORM}\n\n${days("Martin", "he", 0, 8)}`, STORM_AGAIN);
    expect(others).toEqual([]);
    expect(one!.claim).toMatch(/^\d\d words appear twice in chapters 1 and 2/);
    expect(one!.places).toHaveLength(2);
  });

  it("names every chapter of a passage that appears three times", () => {
    const [one] = claims(repeatedPassages, STORM, days("Martin", "he", 0, 8), STORM_AGAIN, STORM);
    expect(one).toMatch(/appear 3 times in chapters 1, 3 and 4, /);
  });

  it("says nothing of a passage that stands once, or of a refrain in verse", () => {
    const verse =
      "The wind blew high\nand the wind blew low\nand the ship went down\nwith her lamps aglow\nand her men all drowned\nin the sea below\nwhere the pale fish swim\nand the cold weeds grow\nO";
    expect(claims(repeatedPassages, STORM, days("Martin", "he", 0, 3))).toEqual([]);
    expect(claims(repeatedPassages, verse, days("Martin", "he", 0, 3), verse)).toEqual([]);
  });
});

describe("name-variant", () => {
  it("finds a spelling that takes over, and one that slips in", () => {
    expect(claims(nameVariants, days("Hadley", "she", 0, 6), days("Hadlye", "she", 6, 12))[0]).toMatch(
      /^“Hadley” appears 18 times, and “Hadlye” from chapter 2 on/,
    );
    const slips = days("Hadley", "she", 0, 20)
      .split("\n\n")
      .map((day, index) => (index === 9 || index === 14 ? day.replace("Hadley", "Hadlley") : day));
    expect(claims(nameVariants, slips.join("\n\n"))).toEqual([
      "“Hadley” appears 58 times and “Hadlley” 2 times: one name or two?",
    ]);
  });

  it("takes another spelling of the same ending for a slip and no pet name", () => {
    const slipped = (slip: string) =>
      days("Hadley", "she", 0, 20)
        .split("\n\n")
        .map((day, index) => (index === 9 || index === 14 ? day.replace("Hadley", slip) : day))
        .join("\n\n");
    expect(claims(nameVariants, slipped("Hadly"))).toEqual([
      "“Hadley” appears 58 times and “Hadly” 2 times: one name or two?",
    ]);
  });

  it("finds a ship whose name is one letter short", () => {
    const crew = Array.from(
      { length: 6 },
      (_, index) => `The mate of the Dusty Trail ${DEEDS[index]} a ${THINGS[index]}.`,
    ).join(" ");
    expect(claims(nameVariants, `${crew} Nobody saw the Dusty Rail again.`)).toEqual([
      "“Dusty Trail” appears 6 times and “Dusty Rail” 1 time: one name or two?",
    ]);
  });

  it("finds a spelling that takes over after many chapters without the name, or stands beside the other throughout", () => {
    const away = `${days("Hadlen", "she", 0, 8)}\n\n${days("Martin", "he", 8, 50)}`;
    expect(claims(nameVariants, away, days("Hadlan", "she", 50, 58))).toEqual([
      "“Hadlen” appears 24 times, and “Hadlan” from chapter 2 on (24 times): one name or two?",
    ]);
    const mixed = days("Hadlen", "she", 0, 24)
      .split("\n\n")
      .map((day, at) => (at % 4 === 3 ? day.replaceAll("Hadlen", "Hadlan") : day));
    expect(claims(nameVariants, mixed.join("\n\n"))).toEqual([
      "“Hadlen” appears 54 times and “Hadlan” 18 times: one name or two?",
    ]);
  });

  it("leaves a name alone that is part of another: the Blarney Stone is no slip for Barney", () => {
    const slips = days("Hadley", "she", 0, 20)
      .split("\n\n")
      .map((day, at) => (at === 9 || at === 12 ? `${day} They had kissed the Hadlley Stone.` : day));
    expect(claims(nameVariants, slips.join("\n\n"))).toEqual([]);
  });

  it("leaves two people who meet alone, and a family's plural", () => {
    const two = Array.from(
      { length: 12 },
      (_, index) => `Marten ${DEEDS[index]} a ${THINGS[index]} while Martin and Marten ate.`,
    ).join(" ");
    expect(claims(nameVariants, two)).toEqual([]);
    expect(claims(nameVariants, `${days("Hadley", "she", 0, 8)} The Hadleys left. The Hadleys came back.`)).toEqual([]);
  });
});

describe("tense-shift and person-shift", () => {
  const inPresent = (text: string) =>
    text
      .replace(/(\w+)ed\b/g, "$1s")
      .replaceAll("said", "says")
      .replaceAll("went", "goes")
      .replaceAll("slept", "sleeps");

  it("finds a stretch in the present in a book told in the past", () => {
    const past = days("Martin", "he", 0, 20);
    const [shift] = found(
      tenseShifts,
      past,
      `${days("Martin", "he", 20, 24)}\n\n${inPresent(days("Martin", "he", 24, 30))}\n\n${days("Martin", "he", 30, 40)}`,
    );
    expect(shift!.claim).toMatch(/told in the past tense; about \d+ words of chapter 2 are told in the present/);
    expect(claims(tenseShifts, past, days("Martin", "he", 20, 40))).toEqual([]);
  });

  it("leaves a letter alone, though some of its paragraphs are only about others", () => {
    const paragraph = inPresent(days("Martin", "he", 24, 26).replaceAll(/“[^”]*” says \w+\. ?/g, ""));
    const letter = Array.from({ length: 5 }, () => `I hope you will come soon and see us.\n\n${paragraph}`);
    expect(
      claims(tenseShifts, days("Martin", "he", 0, 20), `${letter.join("\n\n")}\n\n${days("Martin", "he", 30, 50)}`),
    ).toEqual([]);
  });

  it("leaves speech and addresses to the reader alone", () => {
    const said = Array.from(
      { length: 12 },
      (_, index) => `“He ${DEEDS[index]!.slice(0, -2)}s it, he goes there, he says so,” said Martin.`,
    ).join("\n\n");
    const asides =
      "You know how it is, reader: he says he goes, he goes, he stays, he comes, he thinks, he sees, he waits, he knows, he is there. ".repeat(
        2,
      );
    expect(claims(tenseShifts, days("Martin", "he", 0, 20), said, asides)).toEqual([]);
  });

  it("finds a stretch told by one of the people in a book told of them", () => {
    const told = days("Martin", "he", 0, 70);
    const own = Array.from(
      { length: 30 },
      (_, index) =>
        `I ${DEEDS[index % 12]} my ${THINGS[index % 16]} and I thought of my ${PLACES[index % 10]}. When I was done I ${DEEDS[(index * 5) % 12]} it again, and I went to bed with my ${THINGS[(index * 3) % 16]} beside me.`,
    ).join("\n\n");
    expect(claims(personShifts, told, own, days("Martin", "he", 70, 120))[0]).toMatch(
      /told in the third person; about [\d,]+ words of chapter 2 are told by “I”/,
    );
    expect(claims(personShifts, told)).toEqual([]);
    const note = `Martin opened the letter and read what was written there:\n\n${own}`;
    expect(claims(personShifts, told, note, days("Martin", "he", 70, 120))).toEqual([]);
  });
});

describe("attribute-conflict", () => {
  const people = `${days("Martin", "he", 0, 5)}\n\n${days("Clara", "she", 5, 10)}\n\n${days("Emily", "she", 10, 14)}`;
  const conflict = (one: string, other: string) =>
    claims(attributeConflicts, `${people}\n\n${one}`, `${days("Clara", "she", 10, 14)}\n\n${other}`);

  it.each([
    [
      "Clara had blue eyes.",
      "Clara lifted her brown eyes.",
      "Clara has blue eyes and then brown eyes (chapters 1 and 2).",
    ],
    [
      "Clara sat down. Her eyes were green.",
      "Clara came in. Her black eyes shone.",
      "Clara has green eyes and then black eyes (chapters 1 and 2).",
    ],
    [
      "Martin was thirty-two that spring.",
      "Martin looked older than his twenty-six years.",
      "Martin is thirty-two and then twenty-six (chapters 1 and 2).",
    ],
    [
      "Martin rubbed the scar on his left palm.",
      "The scar on Martin’s right palm had gone white.",
      "Martin has a mark on the left hand and then on the right hand (chapters 1 and 2).",
    ],
    [
      "Forty-three names stood on the wall.",
      "All thirty-four names had gone.",
      "“forty-three names” and “thirty-four names” (chapters 1 and 2).",
    ],
    [
      "Clara had spent three years running.",
      "Clara had spent eleven years being right.",
      "Clara spent three years according to one passage, eleven according to another (chapters 1 and 2).",
    ],
    ["Martin, 43, came in.", "Martin was 34 now.", "Martin is 43 and then 34 (chapters 1 and 2)."],
    [
      "Martin was a man of eight and fifty.",
      "It was Martin’s forty-third birthday.",
      "Martin is 58 and then 43 (chapters 1 and 2).",
    ],
    [
      "Clara’s brother Oswin came.",
      "Oswin, the cousin of Clara, went.",
      "Oswin is called the brother of Clara and then the cousin (chapters 1 and 2).",
    ],
    [
      "Martin was born in May 1871.",
      "Born in 1874, Martin was no longer young.",
      "Martin was born in 1871 and then in 1874 (chapters 1 and 2).",
    ],
    [
      "Clara fixed two green eyes on the wall.",
      "The brown of Clara’s eyes was startling.",
      "Clara has green eyes and then brown eyes (chapters 1 and 2).",
    ],
    [
      "Clara thought of her mother’s journal and of the mill. Her eyes were green.",
      "Clara watched them through brown eyes.",
      "Clara has green eyes and then brown eyes (chapters 1 and 2).",
    ],
    [
      "Martin was a tall fellow. He was close on fifty-two.",
      "For all his thirty-seven years, Martin blushed.",
      "Martin is fifty-two and then thirty-seven (chapters 1 and 2).",
    ],
    [
      "Martin had lost the use of his left arm.",
      "Martin could not use the right arm, which was in a sling.",
      "Martin has a mark on the left arm and then on the right arm (chapters 1 and 2).",
    ],
    [
      "Clara was in her thirty-first year.",
      "Clara, twenty-four and tired, said nothing.",
      "Clara is 30 and then twenty-four (chapters 1 and 2).",
    ],
    [
      "Martin, not quite twenty-three that winter, said nothing.",
      "Martin would be forty in June, and at nineteen he had been old.",
      "Martin is twenty-three and then forty (chapters 1 and 2).",
    ],
    [
      "Clara’s eyes were the brown of bog water.",
      "Clara had her mother’s emerald eyes.",
      "Clara has brown eyes and then green eyes (chapters 1 and 2).",
    ],
    [
      "Clara had a round face and the bluest eyes in the village.",
      "Clara winked one brown eye.",
      "Clara has blue eyes and then brown eyes (chapters 1 and 2).",
    ],
    [
      "Clara pushed a strand of auburn hair under her cap.",
      "Clara’s black hair shone.",
      "Clara has auburn hair and then dark hair (chapters 1 and 2).",
    ],
    [
      "The left side of Martin’s jaw bore a long seam.",
      "Martin fingered the seam on the right side of his jaw.",
      "Martin has a mark on the left jaw and then on the right jaw (chapters 1 and 2).",
    ],
    [
      "Martin was Clara’s elder brother.",
      "Martin was a cousin of Clara’s.",
      "Martin is called the brother of Clara and then the cousin (chapters 1 and 2).",
    ],
  ])("%s %s", (one, other, claim) => {
    expect(conflict(one, other)).toEqual([claim]);
  });

  it.each([
    ["Clara had blue eyes.", "Martin lifted his brown eyes."],
    ["Clara had grey eyes.", "Clara’s blue eyes shone."],
    ["Martin was thirty-two that spring.", "Martin was thirty-three now."],
    ["When Martin was nine, the mill burned.", "Martin was thirty-two."],
    ["Forty-three years passed.", "Thirty-four years passed."],
    ["Clara looked at a fat child. Her hair was red.", "Clara’s hair was black."],
    ["A hundred and forty-three names.", "Forty-four names."],
    ["Clara and Emily sat down. Emily saw Clara, and her eyes were green.", "Clara had brown eyes."],
    ["Martin was fourteen now.", "Ten years passed, and Martin was twenty-four."],
    ["Martin was twenty-nine now.", "It came back to him: Martin was nine years old."],
    ["Martin was thirty-two now.", "At twenty-one Martin had inherited the mill."],
    ["“Emily,” said Clara, looking at Emily out of her brown eyes.", "Emily’s eyes were blue."],
    ["Emily’s sister Martin came.", "Martin, the uncle of Emily, went."],
    ["Clara laughed, and her admirer’s blue eyes twinkled.", "Clara had brown eyes."],
    ["Clara was thirteen now.", "Clara smiled as she had smiled when she was twelve."],
    ["Martin was twenty-four.", "At twenty-two he went to the mill with Martin."],
    ["Martin was twenty-four.", "Martin sat down. At twenty-two he went to Italy."],
    ["Clara was twenty-nine.", "She had once been seen by Clara, a man of forty-six."],
  ])("says nothing of %s %s", (one, other) => {
    expect(conflict(one, other)).toEqual([]);
  });
});

describe("state-conflict and vanished-character", () => {
  it("asks about somebody who dies and goes on acting", () => {
    const [dead] = found(
      stateConflicts,
      `${days("Martin", "he", 0, 6)}\n\nMartin died that night.`,
      days("Clara", "she", 6, 26),
      days("Martin", "he", 26, 32),
    );
    expect(dead!.claim).toMatch(
      /^The narration of chapter 1 says that Martin is dead; after that Martin acts \d+ times, first in chapter 3\./,
    );
  });

  it.each(["Martin sailed for the colonies and did not return.", "Nobody ever saw Martin again."])(
    "asks about somebody who went for good and goes on acting: %s",
    (farewell) => {
      const [gone] = found(
        stateConflicts,
        `${days("Martin", "he", 0, 6)}\n\n${farewell}`,
        days("Clara", "she", 6, 26),
        days("Martin", "he", 26, 32),
      );
      expect(gone!.claim).toMatch(/^The narration of chapter 1 says that Martin has gone for good or was left behind;/);
    },
  );

  it.each([
    "Martin was found in his chair the next morning; he had died in the night.",
    "They put Martin in the ground on Friday.",
    "Martin was thrown from the cart and broke his neck.",
    "A sea came over the rail and took Martin with it; his body was never found.",
    "So perished Martin, who had never had any luck.",
    "Martin lay down on the bed. He died before it was light.",
  ])("knows a death however it is told: %s", (death) => {
    const [dead] = found(
      stateConflicts,
      `${days("Martin", "he", 0, 6)}\n\n${death}`,
      days("Clara", "she", 6, 26),
      days("Martin", "he", 26, 32),
    );
    expect(dead?.claim).toMatch(/^The narration of chapter 1 says that Martin is dead;/);
  });

  it.each([
    "Clara remembered just in time that Martin was dead.",
    "Martin nearly died of thirst.",
    "Martin was left behind like a child in a church.",
    "Clara knew Martin. He had died once before, it was said.",
  ])("takes no thought, fear or figure of speech for a death or a farewell: %s", (figure) => {
    expect(
      claims(
        stateConflicts,
        `${days("Martin", "he", 0, 6)}\n\n${figure}`,
        days("Clara", "she", 6, 26),
        days("Martin", "he", 26, 32),
      ),
    ).toEqual([]);
  });

  it("says of a name that goes on in another spelling only that it is spelled so", () => {
    const both = Array.from(
      { length: 8 },
      (_, part) =>
        `${days("Hadlen", "he", 3 * part, 3 * part + 3)}\n\n${days("Clara", "she", 3 * part + 60, 3 * part + 63)}`,
    );
    const after = `${days("Clara", "she", 100, 150)}\n\n${days("Hadlan", "he", 150, 155)}`;
    expect(claims(vanishedCharacters, ...both, after)).toEqual([]);
    expect(claims(nameVariants, ...both, after)).toHaveLength(1);
  });

  it("leaves those alone who almost died, or stay dead", () => {
    expect(
      claims(
        stateConflicts,
        `${days("Martin", "he", 0, 6)}\n\nMartin almost died that night. Her passion for Martin had died.`,
        days("Clara", "she", 6, 26),
        days("Martin", "he", 26, 32),
      ),
    ).toEqual([]);
    expect(
      claims(stateConflicts, `${days("Martin", "he", 0, 6)}\n\nMartin died that night.`, days("Clara", "she", 6, 40)),
    ).toEqual([]);
  });

  it("finds somebody important who is not seen again", () => {
    const both = Array.from(
      { length: 8 },
      (_, part) =>
        `${days("Martin", "he", 3 * part, 3 * part + 3)}\n\n${days("Clara", "she", 3 * part + 60, 3 * part + 63)}`,
    );
    const [gone] = found(vanishedCharacters, ...both, days("Clara", "she", 100, 150));
    expect(gone!.claim).toMatch(/^Martin is named 72 times up to chapter 8, \d\d% into the book, and never again\.$/);
    expect(claims(vanishedCharacters, ...both, days("Clara", "she", 100, 150), "Martin came back.")).toEqual([]);
    expect(claims(vanishedCharacters, ...both, "Martin died.", days("Clara", "she", 100, 150))).toEqual([]);
  });
});

describe("chapter-order", () => {
  const titled = (...titles: string[]) =>
    chapterOrder(
      readManuscript(
        titles.map((title, index) => ({ index: index + 1, title, text: days("Martin", "he", index, index + 1) })),
      ),
    ).map(({ claim }) => claim);

  it("reads numbers in digits, Roman digits and words", () => {
    expect(
      [
        "Chapter 12",
        "Chapter Twenty-One: Home",
        "XIV. The Mill",
        "Chapter IX",
        "7 July",
        "I Am Born",
        "Chapter Six",
      ].map(chapterNumber),
    ).toEqual([12, 21, 14, 9, null, null, 6]);
  });

  it("quotes whole words of a chapter's first line", () => {
    const text = `${"Martin walked slowly home along the river. ".repeat(9)}\nHe slept.`;
    const book = readManuscript(
      ["1", "2", "4", "5"].map((title, index) => ({ index: index + 1, title, text: `${index} ${text}` })),
    );
    const quotes = chapterOrder(book).flatMap(({ places }) =>
      places.map(({ start, end }) => book.prose.text.slice(start, end)),
    );
    expect(quotes).toHaveLength(2);
    for (const quote of quotes) expect(quote).toMatch(/ (?:Martin|walked|slowly|home|along|the|river\.)$/);
  });

  it("finds swapped, doubled and missing numbers", () => {
    expect(titled("Chapter One", "Chapter Three", "Chapter Two", "Chapter Four")).toEqual([
      "“Chapter Three” stands before “Chapter Two”.",
    ]);
    expect(titled("Chapter 1", "Chapter 2", "Chapter 2", "Chapter 3")).toEqual(["Two chapters have the number 2."]);
    expect(titled("I.", "II.", "IV.", "V.")).toEqual(["After “II.” comes “IV.”: number 3 is missing."]);
  });

  it("lets a new part count from one", () => {
    expect(titled("Chapter 1", "Chapter 2", "Chapter 1", "Chapter 2")).toEqual([]);
  });

  it("reads the headings of a text that is one piece", () => {
    const text = ["Chapter One", "Chapter Two", "Chapter Four"]
      .map((title, index) => `${title}\n\n${days("Martin", "he", index, index + 1)}`)
      .join("\n\n");
    expect(claims(chapterOrder, text)).toEqual(["After “Chapter Two” comes “Chapter Four”: number 3 is missing."]);
  });
});

describe("point-of-view", () => {
  const told = Array.from(
    { length: 20 },
    (_, index) =>
      `I ${DEEDS[index % 12]} my ${THINGS[index % 16]}. “Come in,” said Clara. I went in, and Clara looked at me.`,
  ).join("\n\n");

  it("asks about another mind in a book told by “I”", () => {
    expect(claims(otherMinds, told, "Clara wondered whether the money was gone.")).toEqual([
      "The book is told by “I”, and chapter 2 says what Clara thinks or feels.",
    ]);
  });

  it("leaves a narrator alone who guesses or was told", () => {
    expect(
      claims(otherMinds, told, "Perhaps Clara wondered about the money. Clara told me later what she hoped."),
    ).toEqual([]);
  });
});

describe("exposition-block, quiet-stretch and overused", () => {
  const scenes = days("Martin", "he", 0, 120);
  const dry = Array.from(
    { length: 40 },
    (_, index) =>
      `The ${PLACES[index % 10]} of the town lay beyond the ${PLACES[(index * 3 + 1) % 10]}, built of ${THINGS[index % 16]} stone and roofed with slate from the northern quarries.`,
  );

  it("finds a long block with nobody in it", () => {
    const block = dry.join(" ");
    expect(claims(expositionBlocks, scenes, block, scenes)[0]).toMatch(/^\d{3} words in chapter 2 explain or describe/);
    expect(claims(expositionBlocks, scenes)).toEqual([]);
    const [first, second] = claims(expositionBlocks, scenes, block, scenes, scenes, block, scenes);
    expect(first).toMatch(/; only one other such block of the book has 800 words or more\.$/);
    expect(second).toMatch(/; only one other such block of the book has 800 words or more\.$/);
  });

  it("finds a stretch without speech that is far longer than the others", () => {
    const quiet = days("Martin", "he", 0, 90).replaceAll(/“Enough for today,” said Martin\. /g, "");
    expect(claims(quietStretches, scenes, quiet, scenes)[0]).toMatch(
      /^No one speaks, and nothing is in quotation marks, for [\d,]+ words from chapter \d on/,
    );
    expect(claims(quietStretches, scenes, scenes)).toEqual([]);
  });

  it("finds a phrase that comes back too often", () => {
    const all = [
      ...THINGS,
      ...DEEDS,
      ...PLACES,
      ..."grey slow west bread cold early river stone under north until winter".split(" "),
    ];
    const random = seededRandom(7);
    const sentence = () => `${Array.from({ length: 12 }, () => all[randomInteger(random, all.length)]).join(" ")}.`;
    const text = Array.from(
      { length: 300 },
      (_, index) => `${sentence()} ${index % 12 === 0 ? "A muscle jumped in the jaw. " : ""}${sentence()}`,
    );
    expect(claims(overused, text.join("\n\n"))).toEqual([
      expect.stringMatching(/^“a muscle jumped in” appears 25 times/),
    ]);
  });
});

describe("checkBook", () => {
  it("gives findings with quotations that stand at their places", () => {
    const chapters = book(`${STORM}\n\n${days("Martin", "he", 0, 8)}`, STORM);
    const { findings, notTried } = checkBook({ chapters, language: "en" });
    expect(notTried).toEqual([]);
    const finding = findings.find(({ kind }) => kind === "repeated-passage")!;
    expect(finding).toMatchObject({ origin: "counted", severity: "should" });
    expect(isQuestion(finding)).toBe(false);
    for (const { chapter, start, end, quote } of findings.flatMap(({ passages }) => passages))
      expect(chapters[chapter - 1]!.text.slice(start, end)).toBe(quote);
  });

  it("tries in other languages what needs no English, and says what it did not try", () => {
    const { findings, notTried } = checkBook({
      chapters: book(`${STORM}\n\n${days("Martin", "he", 0, 8)}`, STORM),
      language: "de",
    });
    expect(findings.map(({ kind }) => kind)).toEqual(["repeated-passage"]);
    expect(notTried).toContainEqual({ kind: "name-variant", why: "it reads English only" });
    expect(notTried.map(({ kind }) => kind)).not.toContain("chapter-order");
  });

  it("has nothing to say of an empty book", () => {
    expect(checkBook({ chapters: book(""), language: null }).findings).toEqual([]);
    const { notTried } = checkBook({ chapters: book("Two words."), language: "en" });
    expect(new Set(notTried.map(({ why }) => why))).toEqual(new Set(["a text of 2 words is too short"]));
  });

  it("stays fast where a text repeats itself or is made of names", () => {
    const looping = "He went to the mill and back again. ".repeat(inputs(30_000));
    const names = Array.from(
      { length: inputs(150_000) },
      (_, index) => `Ab${String.fromCharCode(97 + (index % 26), 97 + ((index >> 4) % 26), 97 + ((index >> 8) % 26))}`,
    ).join(" ");
    const kin = "Martin's brother Jack, his cousin, Jack, was her uncle Tom. ".repeat(inputs(15_000));
    const deaths = "Martin died. Clara never came back. Martin said no. ".repeat(inputs(15_000));
    const books = [looping, names, kin, deaths].map((text) => readManuscript(book(text)));
    const start = process.cpuUsage();
    for (const check of [
      repeatedPassages,
      nameVariants,
      tenseShifts,
      attributeConflicts,
      stateConflicts,
      vanishedCharacters,
    ])
      for (const bookProse of books) check(bookProse);
    // Processor time, because the machine may be busy. The check takes a tenth of this; with a step quadratic in the
    // length it would take minutes.
    expect(process.cpuUsage(start).user).toBeLessThan(40_000_000);
  }, 240_000);
});

it("the words next to a name are its place where the sentence is too long to be shown", () => {
  const clauses = "the road went on past the mill and the old wharf, ".repeat(12);
  const text = `It rained. Then ${clauses}Martin came home, ${clauses}and that was all. He slept.`;
  const start = text.indexOf("Martin");
  const around = sentenceAround(readManuscript(book(text)), { start, end: start + "Martin".length });
  expect(text.slice(around.start, around.end)).toMatch(/^[a-z]+ [\s\S]* Martin came home, [\s\S]* [a-z]+$/);
  expect(around.end - around.start).toBeLessThanOrEqual(400);
  expect(around.end - around.start).toBeGreaterThan(350);
});
