import pc from "picocolors";
import { FabulaError } from "../../../core/errors.ts";
import { bookListing } from "../../../report/book-listing.ts";
import { findBooks } from "../../../text/files/find-books.ts";
import { readBooks } from "../../../workflows/books/reading/read-books.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Read books and show what Fabula sees: chapters, words, tokens, language, and what was cleaned away.",
  operands: "FILE...",
  flags: {
    title: { type: "string", value: "TEXT", help: "the book's title [from book.yaml or the file]" },
    author: { type: "string", value: "NAME", help: "the author [from book.yaml or the file]" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code [recognised from the text]" },
    genres: { type: "string", value: "A,B", help: "genres, separated by commas" },
    premise: { type: "string", value: "TEXT", help: "the book's premise" },
    format: {
      type: "string",
      value: "NAME",
      choices: ["text", "markdown", "html", "epub", "docx", "pdf", "json"],
      help: "the format, when the file name does not show it",
    },
    "show-removed": { type: "boolean", help: "print what was removed and by which rule" },
  },
  examples: [
    "fabula read novel.epub",
    "fabula read drafts/            (a folder of chapter files is one book)",
    "fabula read library/           (a folder of EPUBs, or of folders with a book each, is many)",
    "fabula read 1342-0.txt --show-removed",
    "fabula read library/*.epub --json",
    "fabula read - < draft.txt      (standard input)",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) throw new FabulaError("E_USAGE", "Give at least one book: `fabula read novel.epub`.");
    const { title, author, language, premise, format } = flags;
    const genres = flags.genres?.split(",").map((genre) => genre.trim());
    const found = await findBooks(operands);
    const { books, failed: unread } = await readBooks(found.files, {
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
    const failed = [...unread, ...found.failed];
    if (flags.json) terminal.print(jsonDocument("books", { books, ...(failed.length > 0 && { failed }) }));
    else {
      const colours = pc.createColors(terminal.colours);
      for (const book of books) terminal.print(bookListing(book, flags["show-removed"], colours));
    }
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    return failed.length > 0 ? 1 : 0;
  },
});
