import pc from "picocolors";
import { FabulaError } from "../../core/errors.ts";
import type { Book } from "../../text/book.ts";
import { readBooks } from "../../workflows/read-books.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  summary: "Reads books and shows what Fabula sees: chapters, words, language, and what was cleaned away.",
  operands: "FILE...",
  flags: {
    title: { type: "string", value: "TEXT", help: "the book's title, over what the file says" },
    author: { type: "string", value: "NAME", help: "the author, over what the file says" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code, over what the text shows" },
    "show-removed": { type: "boolean", help: "print what was cleaned away and which rule took it" },
  },
  examples: ["fabula read novel.epub", "fabula read drafts/*.md --json", "fabula read 1342-0.txt --show-removed"],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) throw new FabulaError("E_USAGE", "Give at least one book: `fabula read novel.epub`.");
    const { title, author, language } = flags;
    const metadata = { ...(title && { title }), ...(author && { author }), ...(language && { language }) };
    const books = await readBooks(operands, { metadata, onProgress: terminal.progress, signal });
    terminal.endProgress();
    if (flags.json) {
      terminal.print(JSON.stringify({ books: books.map(toJson) }, null, 2));
      return 0;
    }
    for (const book of books) terminal.print(describe(book, flags["show-removed"], pc.createColors(terminal.colours)));
    return 0;
  },
});

function toJson(book: Book) {
  const { source, chapters, ...facts } = book;
  return {
    file: source.file,
    ...facts,
    chapters: chapters.map(({ text, ...chapter }) => chapter),
    format: source.format,
    encoding: source.encoding,
    bytes: source.bytes,
    sha256: source.sha256,
  };
}

function describe(book: Book, showRemoved: boolean, colours: ReturnType<typeof pc.createColors>): string {
  const { chapters, words, language, source } = book;
  const width = String(chapters.length).length;
  return [
    colours.bold(book.title) + (book.author ? ` by ${book.author}` : ""),
    [
      `${words.toLocaleString("en-GB")} words in ${chapters.length} chapter${chapters.length === 1 ? "" : "s"}`,
      language ? `language ${language}` : "language unknown",
      `${source.format}, ${source.encoding}`,
    ].join(" · "),
    ...book.warnings.map((warning) => colours.yellow(`! ${warning}`)),
    ...chapters.map(
      ({ index, title, words: count }) =>
        `  ${String(index).padStart(width)}  ${count.toLocaleString("en-GB").padStart(8)}  ${title ?? colours.dim("(no title)")}`,
    ),
    ...(showRemoved
      ? ["", "Cleaned away:", ...book.removed.map(({ rule, where, text }) => `  [${rule}] ${where}: ${shorten(text)}`)]
      : []),
    "",
  ].join("\n");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
