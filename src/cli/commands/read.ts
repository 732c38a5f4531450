import pc from "picocolors";
import { FabulaError } from "../../core/errors.ts";
import type { BookSummary } from "../../workflows/book-summary.ts";
import { readBooks } from "../../workflows/read-books.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  summary: "Reads books and shows what Fabula sees: chapters, words, tokens, language, and what was cleaned away.",
  operands: "FILE...",
  flags: {
    title: { type: "string", value: "TEXT", help: "the book's title, over what the file or book.yaml says" },
    author: { type: "string", value: "NAME", help: "the author, over what the file or book.yaml says" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code, over what the text shows" },
    genres: { type: "string", value: "A,B", help: "genres, parted by commas" },
    premise: { type: "string", value: "TEXT", help: "what the book sets out to tell" },
    format: {
      type: "string",
      value: "NAME",
      choices: ["text", "markdown", "html", "epub", "docx", "pdf", "json"],
      help: "the format, when the name does not tell",
    },
    "show-removed": { type: "boolean", help: "print what was cleaned away and which rule took it" },
  },
  examples: [
    "fabula read novel.epub",
    "fabula read drafts/            (a folder of chapter files is one book)",
    "fabula read 1342-0.txt --show-removed",
    "fabula read library/*.epub --json",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) throw new FabulaError("E_USAGE", "Give at least one book: `fabula read novel.epub`.");
    const { title, author, language, premise, format } = flags;
    const genres = flags.genres?.split(",").map((genre) => genre.trim());
    const { books, failed } = await readBooks(operands, {
      metadata: {
        ...(title && { title }),
        ...(author && { author }),
        ...(language && { language }),
        ...(genres && { genres }),
        ...(premise && { premise }),
      },
      ...(format && { format }),
      stdin: process.stdin,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(JSON.stringify({ books, ...(failed.length > 0 && { failed }) }, null, 2));
    else {
      const colours = pc.createColors(terminal.colours);
      for (const book of books) terminal.print(describe(book, flags["show-removed"], colours));
    }
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    return failed.length > 0 ? 1 : 0;
  },
});

function describe(book: BookSummary, showRemoved: boolean, colours: ReturnType<typeof pc.createColors>): string {
  const { chapters, words, tokens, language, format, encoding } = book;
  const width = String(chapters.length).length;
  const parts = new Set<string>();
  return [
    colours.bold(book.title) + (book.author ? ` by ${book.author}` : ""),
    [
      `${number(words)} words, ${number(tokens)} tokens in ${chapters.length} chapter${chapters.length === 1 ? "" : "s"}`,
      language ? `language ${language}` : "language unknown",
      `${format}, ${encoding}`,
    ].join(" · "),
    ...book.warnings.map((warning) => colours.yellow(`! ${warning}`)),
    ...chapters.flatMap(({ index, title, part, words: count }) => {
      const isNewPart = part !== undefined && !parts.has(part);
      if (part !== undefined) parts.add(part);
      const line = `  ${String(index).padStart(width)}  ${number(count).padStart(8)}  ${title ?? colours.dim("(no title)")}`;
      return isNewPart ? [`  ${colours.bold(part)}`, line] : [line];
    }),
    ...(showRemoved
      ? ["", "Cleaned away:", ...book.removed.map(({ rule, where, text }) => `  [${rule}] ${where}: ${shorten(text)}`)]
      : []),
    "",
  ].join("\n");
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
