import { reviewsSampleTask } from "../../../tasks/reviews/reviews.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(reviewsSampleTask, {
  examples: ["fabula reviews sample --in reviews.jsonl.gz --books books.jsonl.gz --out sampled.jsonl"],
  async present({ kept, reviews, largestDifference }, { flags, terminal, document }) {
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${kept} of ${reviews} reviews kept; their stars follow the ratings within ${largestDifference.toFixed(2)} points.`,
      );
    }
    return 0;
  },
});
