import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../../src/core/json-lines.ts";
import { seededRandom, shuffled } from "../../../src/core/random.ts";
import type { JurorId } from "../../../src/jury/juror.ts";
import { readBook } from "../../../src/text/read-book.ts";
import { loadCrowdLessons } from "../crowd.ts";
import { loadEditorData } from "../editor.ts";
import type { Source } from "../fit-lessons.ts";
import { expertLessons } from "../sources/expert-edits.ts";

/**
 * A text of known kind: one that a juror learnt from, a passage of a novel from before 1900 (a story, but not of these
 * days), one of a novel from 1900 to 1930 (a story; whether it is old is left open), or something that is no story.
 */
export interface KnownText {
  readonly text: string;
  /** Texts of one family are never on both sides of a split: a story, a novel, a kind of text that is no story. */
  readonly family: string;
  /** Left out as a whole when its own texts are measured: what is left is what a text from elsewhere would meet. */
  readonly source: string;
  readonly kind: "own" | "old" | "between" | "no story";
  /** Whose own it is. */
  readonly jurors: readonly JurorId[];
}

/** Texts that are no stories, by where they come from; all those written for this are one group. */
export const NOT_STORY_GROUPS = ["reviews", "analyses", "written"] as const;
export type NotStoryGroup = (typeof NOT_STORY_GROUPS)[number];

export function notStoryGroup({ kind, source }: KnownText): NotStoryGroup | null {
  if (kind !== "no story") return null;
  return NOT_STORY_GROUPS.find((group) => group === source) ?? "written";
}

const SEED = 1903;
const TEXTS_PER_SOURCE = 300;
const REVIEWS = 200;
const SHORTEST_REVIEW = 150;
const PASSAGES_PER_NOVEL = 6;
/** Passages are as long as the texts of readers and of the grader. */
const PASSAGE_WORDS = [300, 900] as const;

/** Of the novels that are learnt from, those that appeared from 1900 on: by author, or by title where an author wrote before. */
const TWENTIETH_CENTURY =
  /^(?:a-a-milne|agatha|d-h-lawrence|dorothy|e-nesbit|edgar-rice|eleanor-h|ernest|f-scott|frances-hodgson|gaston|hermann|hugh-lofting|j-m-barrie|jack-london|john-buchan|joseph-conrad|kenneth|l-m-montgomery|virginia|w-somerset|willa|yevgeny)|the-hound-of|the-lost-world|the-valley-of-fear|_kim\b/;

const reviewSchema = z.object({ book: z.string(), aspects: z.record(z.string(), z.string()), conclusion: z.string() });
const analysisSchema = z.object({ story: z.string(), analysis: z.string().nullish() });

export async function loadKnownTexts(data: string): Promise<KnownText[]> {
  return [
    ...(await ownTexts(data)),
    ...(await novelPassages(join(data, "books", "epub"))),
    ...(await readNotStories("tune")),
    ...(await reviews(data)),
    ...(await analyses(data)),
  ];
}

/** The texts of a file written for this: `=== kind` before each. Those of `check` are never learnt from. */
export async function readNotStories(set: "tune" | "check"): Promise<KnownText[]> {
  const file = await readFile(new URL(`not-stories-${set}.txt`, import.meta.url), "utf8");
  return file
    .split(/^=== /m)
    .slice(1)
    .map((part): KnownText => {
      const [name = "", ...lines] = part.split("\n");
      return { text: lines.join("\n").trim(), family: `no story ${name}`, source: name, kind: "no story", jurors: [] };
    });
}

/** What each juror learnt from: graded chapters taught the crowd and the grader. */
async function ownTexts(data: string): Promise<KnownText[]> {
  const own = (jurors: readonly JurorId[], source: Source, text: string, family: string): KnownText => ({
    text,
    family: `${source} ${family}`,
    // Pairs and stories to prompts come from the same place: they are left out together.
    source: source === "reader-pairs" ? "prompt-stories" : source,
    kind: "own",
    jurors,
  });
  const crowd = (await loadCrowdLessons(data)).map(({ text, family, source }) =>
    own(source === "graded-chapters" ? ["grader", "crowd"] : ["crowd"], source, text, family),
  );
  const editor = expertLessons(await loadEditorData(data)).map(({ text, family }) =>
    own(["editor"], "expert-scores", text, family),
  );
  const distinct = [...new Map([...crowd, ...editor].map((known) => [known.text, known])).values()];
  return [...new Set(distinct.map(({ source }) => source))].flatMap((source) =>
    some(
      distinct.filter((one) => one.source === source),
      TEXTS_PER_SOURCE,
    ),
  );
}

/** What readers wrote of novels: it names people and what they do, and is no story. */
async function reviews(data: string): Promise<KnownText[]> {
  const rows = await readJsonLines(join(data, "longstoryeval", "reviews.jsonl.gz"), reviewSchema);
  const texts = rows.flatMap(({ aspects, conclusion }): KnownText[] => {
    const text = [...Object.values(aspects), conclusion].join(" ");
    const isLong = text.split(/\s+/).length >= SHORTEST_REVIEW;
    return isLong ? [{ text, family: "reviews", source: "reviews", kind: "no story", jurors: [] }] : [];
  });
  return some(texts, REVIEWS);
}

/** What the grader wrote of chapters. */
async function analyses(data: string): Promise<KnownText[]> {
  const rows = await readJsonLines(join(data, "judged-chapters", "chapters.jsonl.gz"), analysisSchema);
  const texts = rows.flatMap(({ analysis }): KnownText[] =>
    analysis ? [{ text: analysis, family: "analyses", source: "analyses", kind: "no story", jurors: [] }] : [],
  );
  return some(texts, REVIEWS);
}

async function novelPassages(folder: string): Promise<KnownText[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".epub")).sort();
  const passages: KnownText[] = [];
  for (const file of files) {
    const { chapters } = await readBook(join(folder, file));
    const words = chapters
      .map(({ text }) => text)
      .join("\n\n")
      .split(/(?<=\s)(?=\S)/);
    for (let passage = 0; passage < PASSAGES_PER_NOVEL; passage++) {
      const length = PASSAGE_WORDS[passage % PASSAGE_WORDS.length]!;
      const start = Math.floor(((words.length - length) * (passage + 0.5)) / PASSAGES_PER_NOVEL);
      const text = words.slice(start, start + length).join("");
      const kind = TWENTIETH_CENTURY.test(file) ? "between" : "old";
      passages.push({ text, family: file, source: kind === "old" ? "old novels" : "later novels", kind, jurors: [] });
    }
  }
  return passages;
}

function some(texts: readonly KnownText[], count: number): KnownText[] {
  return shuffled(texts, seededRandom(SEED)).slice(0, count);
}
