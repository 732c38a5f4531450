import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { Book } from "../../text/book.ts";
import { recogniseHeading } from "../../text/chapters/recognise.ts";
import { plainGenres } from "../../text/plain-genres.ts";
import type { Segment } from "../../text/segments.ts";

export type BookFacts = Pick<Book, "title" | "author" | "genres" | "premise">;

/** Title, genres and premise, one per line. The author is left out: a famous name colours a judgement. */
export function metadataText(
  { title, genres: given, premise }: BookFacts,
  language: PromptLanguage,
  { genres: most = null }: { readonly genres?: number | null } = {},
): string {
  const words = WORDS[language];
  const genres = plainGenres(given).slice(0, most ?? undefined);
  return [
    `${words.title}${title}`,
    genres.length > 0 ? `${words.genres}${genres.join(", ")}` : null,
    premise ? `${words.premise}${premise}` : null,
  ]
    .filter((line) => line !== null)
    .join("\n");
}

/** The whole book with each chapter's number above it, so that a judge can say where a quotation stands. */
export function bookText(book: Pick<Book, "chapters">, language: PromptLanguage): string {
  return book.chapters
    .map(({ index, title, text }) => `${chapterMark(index, title, language)}\n\n${text}`)
    .join("\n\n");
}

/** A segment, fenced the same way. */
export function segmentText(book: Pick<Book, "chapters">, segment: Segment, language: PromptLanguage): string {
  return segment.spans
    .map(({ chapter, start, end }) => {
      const { title = null, text = "" } = book.chapters.find(({ index }) => index === chapter) ?? {};
      return `${chapterMark(chapter, title, language)}\n\n${text.slice(start, end)}`;
    })
    .join("\n\n");
}

/** `[Chapter 2: Small Measures]`, also where the title brings its own number: "Chapter Two. Small Measures", "II", "第二章 缺页". */
export function chapterMark(index: number, title: string | null, language: PromptLanguage): string {
  const number = language === "zh" ? `第${index}章` : `Chapter ${index}`;
  const name = title === null ? "" : withoutOwnNumber(title, index);
  return name === "" ? `[${number}]` : `[${number}: ${name}]`;
}

/** The mark of one chapter, or `[Chapters 3 to 5: …]`; titles that bring their own numbers would say it twice. */
export function segmentMark({ spans, title }: Segment, language: PromptLanguage): string {
  const first = spans[0]?.chapter ?? 1;
  const last = spans.at(-1)?.chapter ?? first;
  if (first === last) return chapterMark(first, title, language);
  const numbers = language === "zh" ? `第${first}至${last}章` : `Chapters ${first} to ${last}`;
  return recogniseHeading(title)?.number === first ? `[${numbers}]` : `[${numbers}: ${title}]`;
}

/** A title that counts differently from the book (a prologue came before it), or names its volume too, is left as it is. */
function withoutOwnNumber(title: string, index: number): string {
  const heading = recogniseHeading(title);
  if (heading?.number !== index || (heading.kind !== "chapter" && heading.kind !== "numeral")) return title;
  const label = title.slice(0, title.length - heading.rest.length);
  return title.endsWith(heading.rest) && !/[卷部篇集編编册冊]/u.test(label) ? heading.rest : title;
}

/** `segment 3 of 12, chapters 7 to 9` */
export function segmentPlace(segment: Segment, count: number, language: PromptLanguage): string {
  const first = segment.spans[0]?.chapter ?? 1;
  const last = segment.spans.at(-1)?.chapter ?? first;
  if (language === "zh") {
    return `第 ${segment.index} 段，共 ${count} 段，第 ${first === last ? first : `${first} 至 ${last}`} 章`;
  }
  return `segment ${segment.index} of ${count}, ${first === last ? `chapter ${first}` : `chapters ${first} to ${last}`}`;
}

const WORDS = {
  en: { title: "Title: ", genres: "Genres: ", premise: "Premise: " },
  zh: { title: "书名：", genres: "类型：", premise: "简介：" },
} as const satisfies Record<PromptLanguage, Record<string, string>>;
