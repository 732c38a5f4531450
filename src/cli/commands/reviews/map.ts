import { plainLine } from "../../../report/markup.ts";
import { reviewsMapTask } from "../../../tasks/reviews/reviews.ts";
import { taskCommand } from "../../task-command.ts";

const UNMAPPED_SHOWN = 40;

export default taskCommand(reviewsMapTask, {
  examples: ["fabula reviews map --in structured.jsonl --out mapped.jsonl"],
  async present({ reviews, names, exact, similar, unmapped }, { terminal, flags, document }) {
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${reviews} reviews, ${names} names: ${exact} known, ${similar} like a known one, ${unmapped.length} kinds unknown.`,
      );
      for (const { name, count } of unmapped.slice(0, UNMAPPED_SHOWN)) terminal.note(`  ${count}  ${plainLine(name)}`);
    }
    return 0;
  },
});
