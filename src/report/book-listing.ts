import type { createColors } from "picocolors";
import { PART_SEPARATOR } from "../text/book.ts";
import type { BookSummary, ContentsEntry } from "../text/book-summary.ts";
import { plainLine } from "./markup.ts";
import { countOf } from "./wording.ts";

type Colors = ReturnType<typeof createColors>;

/** What `fabula read` prints for a book: its facts, its warnings, and its contents with the parts as headings. */
export function bookListing(book: BookSummary, showRemoved: boolean, colours: Colors): string {
  return [
    colours.bold(plainLine(book.title)) + (book.author ? ` by ${plainLine(book.author)}` : ""),
    facts(book),
    ...book.warnings.map((warning) => colours.yellow(`! ${plainLine(warning)}`)),
    ...contents(book.chapters, colours),
    ...(showRemoved ? ["", "Removed:", ...book.removed.map(removal)] : []),
    "",
  ].join("\n");
}

function facts({ chapters, words, tokens, language, format, encoding }: BookSummary): string {
  const parts = chapters.filter(({ kind }) => kind === "part").length;
  const counted = countOf(chapters.length - parts, "chapter");
  return [
    `${countOf(words, "word")}, ${countOf(tokens, "token")} in ${counted}${parts > 0 ? ` and ${countOf(parts, "title page")} of parts` : ""}`,
    language ? `language ${language}` : "language unknown",
    `${format}, ${encoding}`,
  ].join(" · ");
}

function contents(entries: readonly ContentsEntry[], colours: Colors): string[] {
  const width = String(entries.at(-1)?.index ?? 0).length;
  const listed = new Set(entries.flatMap(({ kind, title }) => (kind === "part" && title !== null ? [title] : [])));
  const shown = new Set<string>();
  /** Parts that have no line of their own in the contents are shown above their first chapter. */
  const headings = (path: string | undefined) => {
    if (path === undefined || shown.has(path)) return [];
    shown.add(path);
    const unlisted = path.split(PART_SEPARATOR).filter((part) => !listed.has(part));
    const name = unlisted.join(PART_SEPARATOR);
    if (name === "" || (name !== path && shown.has(name))) return [];
    shown.add(name);
    return [`  ${colours.bold(plainLine(name))}`];
  };
  return entries.flatMap((entry) => {
    const place = `  ${String(entry.index).padStart(width)}  `;
    const title = entry.title === null ? colours.dim("(no title)") : plainLine(entry.title);
    if (entry.kind === "part") return [...headings(entry.part), place + colours.bold(title)];
    const others = entry.includes?.map(plainLine).join(", ");
    const line = `${place}${entry.words.toLocaleString("en-GB").padStart(8)}  ${title}`;
    return [...headings(entry.part), others ? `${line}${colours.dim(` (with ${others})`)}` : line];
  });
}

function removal({ rule, where, text }: BookSummary["removed"][number]): string {
  const line = plainLine(text);
  return `  [${rule}] ${plainLine(where)}: ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`;
}
