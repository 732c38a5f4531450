import { seededRandom } from "../../src/core/random.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { type ReplyHandler, seededReply } from "../../src/testing/index.ts";

/** A book of three chapters that disagrees with itself, and a reader of it whose every reply is known. */
const CHAPTERS = [
  "Mara rubbed the scar on her left hand and counted the lamps. There were forty-three of them along the quay.\n\nThe ferry was late again.",
  "The harbour master kept a brass key in a drawer that nobody was allowed to open. Mara had seen it once.\n\nShe was twenty-four that winter.",
  "She looked at the scar on her right hand. Thirty-four lamps burned along the quay, and the ferry came in.",
];

/** The book as Markdown; `changed` replaces chapters by their number, and quiet ones may follow the three. */
export function lampsBook(changed: Readonly<Record<number, string>> = {}, quiet = 0): string {
  const more = Array.from({ length: quiet }, (_, at) => `In part ${at + 4} the clerk kept the ledger and said little.`);
  const chapters = [...CHAPTERS, ...more].map((text, at) => `## Chapter ${at + 1}\n\n${changed[at + 1] ?? text}`);
  return `# Lamps\n\n${chapters.join("\n\n")}\n`;
}

const claim = (kind: string, title: string, passages: readonly (readonly [number, string])[]) => ({
  kind,
  title,
  claim: `${title} is told in two ways.`,
  passages: passages.map(([chapter, quote]) => ({ chapter, quote })),
  severity: "should",
  certainty: 0.9,
  advice: "Choose one.",
});
const SCAR = claim("attribute-conflict", "The scar", [
  [1, "the scar on her left hand"],
  [3, "the scar on her right hand"],
]);
const LAMPS = claim("attribute-conflict", "The lamps", [
  [1, "forty-three of them along the quay"],
  [3, "Thirty-four lamps burned along the quay"],
]);
const KEY = claim("open-thread", "The key", [[2, "a brass key in a drawer that nobody was allowed to open"]]);
const STORM = claim("state-conflict", "The storm", [[5, "a storm that everybody had forgotten by noon"]]);
const MOOD = claim("strength", "The quay", [[1, "rubbed the scar on her left hand and counted the lamps"]]);

const entry = (chapter: number) => ({
  chapter,
  happens: "Mara waits on the quay.",
  changes: "nothing",
  place: "the quay",
  time: "winter",
  viewpoint: "Mara",
  tense: "past",
  level: "story",
  tension: 2,
});

/** Answers by the shape that is asked for. A claim is made only where its passages are shown. */
export function lampsReply(): ReplyHandler {
  return (request, random) => {
    const answer = answerTo(shapeOf(request.schema), request.messages.at(-1)!.content);
    if (answer !== null) return JSON.stringify(answer);
    if (!JSON.stringify(request.schema).includes('"overall"')) return seededReply(request, random);
    const verdicts = placeholderValue(request.schema, seededRandom(1));
    return JSON.stringify(verdicts, (key, value: unknown) =>
      key === "score" || (key === "overall" && typeof value !== "string") ? 70 : value,
    );
  };
}

/** What a property tells about the question: its name, or the first kind of claim it asks for. */
const SHAPES: Readonly<Record<string, string>> = {
  premise: "close_story",
  facts: "close_chapter",
  "attribute-conflict": "close_continuity",
  "open-thread": "close_threads",
  structure: "close_craft",
  verdicts: "refutations",
  works: "letter",
  said: "book_answer",
};

function shapeOf(schema: unknown): string {
  const written = JSON.stringify(schema);
  return SHAPES[Object.keys(SHAPES).find((word) => written.includes(`"${word}"`)) ?? ""] ?? "";
}

function answerTo(shape: string, text: string): unknown {
  const shown = <T extends { passages: readonly { quote: string }[] }>(claims: readonly T[]) =>
    claims.filter(({ passages }) => passages.every(({ quote }) => text.includes(quote)));
  switch (shape) {
    case "close_story":
      return {
        premise: "Mara waits for a ferry.",
        question: "What does waiting cost?",
        chapters: [...text.matchAll(/^\[Chapter (\d+)/gm)].map(([, number]) => entry(Number(number))),
        people: [{ name: "Mara", also: [], role: "waits", wants: "to leave", arc: "none", passages: [] }],
        threads: [{ thread: "the key", opened: { chapter: 2, quote: "a brass key in a drawer" }, closed: null }],
      };
    case "close_chapter": {
      const quote = /the scar on her (?:left|right) hand/.exec(text)?.[0];
      const { chapter: _chapter, ...about } = entry(1);
      return {
        ...about,
        opening: "Mara is on the quay.",
        ending: "Mara waits.",
        facts: quote
          ? [
              {
                subject: "Mara",
                property: "hand with the scar",
                value: quote.includes("left") ? "left" : "right",
                quote,
              },
            ]
          : [],
        events: [],
        knowledge: [],
        assumed: [],
        threads: [],
        people: [{ name: "Mara", also: [], role: "waits" }],
        slips: [],
        reader: { asks: ["Will the ferry come?"], answered: [] },
      };
    }
    case "close_continuity":
      return { claims: shown([SCAR, LAMPS, STORM]) };
    case "close_threads":
      return { claims: shown([KEY]) };
    case "close_craft":
      return { claims: shown([MOOD]) };
    case "refutations":
      return {
        verdicts: [...text.matchAll(/^(\d+)\. \[[\w-]+\] /gm)].map(([, number]) => ({
          number: Number(number),
          verdict: "holds",
          why: "Both stand there.",
          claim: null,
          severity: "must",
          explained_by: null,
          same_as: null,
        })),
      };
    case "letter":
      return {
        book: "Mara waits on a quay.",
        works: [],
        problems: [{ title: "The scar", text: "It changes hands.", findings: [1] }],
        first: [{ text: "Decide which hand.", findings: [1] }],
        plan: [],
      };
    case "book_answer":
      return text.includes("Which hand has the scar?")
        ? {
            said: true,
            answer: "It changes from the left to the right.",
            passages: [
              { chapter: 1, quote: "the scar on her left hand" },
              { chapter: 3, quote: "the scar on her right hand" },
              { chapter: 3, quote: "a scar on a third hand altogether" },
            ],
          }
        : {
            said: true,
            answer: "The builders did.",
            passages: [{ chapter: 1, quote: "the builders of the lighthouse" }],
          };
    default:
      return null;
  }
}
