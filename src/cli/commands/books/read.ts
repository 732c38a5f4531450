import { readTask } from "../../../tasks/books/read.ts";
import { taskCommand } from "../../task-command.ts";

export const readCommand = taskCommand(readTask, {
  flags: {
    "show-removed": { type: "boolean", help: "print what was removed and by which rule" },
    why: { type: "boolean", help: "print how the chapters were found, and what else was considered" },
  },
  usage: "Give at least one book: `fabula read novel.epub`.",
  examples: [
    "fabula read novel.epub",
    "fabula read drafts/            (a folder of chapter files is one book)",
    "fabula read library/           (a folder of EPUBs, or of folders with a book each, is many)",
    "fabula read 1342-0.txt --show-removed",
    "fabula read library/*.epub --json",
    "fabula read - < draft.txt      (standard input)",
  ],
  async present({ books, failed }, { flags, terminal, show }) {
    await show(async () => {
      const { default: pc } = await import("picocolors");
      const { bookListing } = await import("../../../report/book-listing.ts");
      const colours = pc.createColors(terminal.colours);
      return books
        .map((book) => bookListing(book, { showRemoved: flags["show-removed"], why: flags.why }, colours))
        .join("");
    });
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    return failed.length > 0 ? 1 : 0;
  },
});
