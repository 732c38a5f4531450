import { countOf } from "../../../core/wording.ts";
import { qaCleanTask } from "../../../tasks/qa/data.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaCleanTask, {
  examples: ["fabula qa clean --in test.jsonl --texts downloads/ --out-texts books/ --out clean.jsonl"],
  async present({ books, failed, summariesMended, meanWordsRemoved }, { input, flags, terminal, show }) {
    const isShown = !flags.json && input.out !== "-";
    await show(() => {
      if (!isShown) return "";
      const removed = meanWordsRemoved === null ? "" : `, ${Math.round(meanWordsRemoved)} words removed on average`;
      return `${countOf(books.length, "book")} cleaned${removed}; ${summariesMended} summaries repaired.`;
    });
    if (isShown) {
      for (const { title, warnings } of books) for (const warning of warnings) terminal.note(`${title}: ${warning}`);
      if (failed.length > 0) terminal.print(`${failed.length} books could not be cleaned, such as:`);
      for (const { title, reason } of failed.slice(0, 5)) terminal.print(`  ${title}: ${reason}`);
    }
    return failed.length > 0 ? 3 : 0;
  },
});
