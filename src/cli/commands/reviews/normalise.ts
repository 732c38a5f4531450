import { reviewsNormaliseTask } from "../../../tasks/reviews/reviews.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(reviewsNormaliseTask, {
  examples: [
    "fabula reviews normalise --in reviews.jsonl.gz --books books.jsonl.gz --out normalised.jsonl",
    "fabula reviews normalise --in reviews.jsonl --books books.jsonl --readers readers.jsonl --out normalised.jsonl",
  ],
  async present({ ratings, reviewers, before, after, platform, unnormalised }, { input, flags, terminal, document }) {
    const moments = ({ mean, deviation }: typeof before) =>
      `mean ${mean.toFixed(3)}, deviation ${deviation.toFixed(3)}`;
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${ratings} ratings of ${reviewers} readers: ${moments(before)} before, ${moments(after)} after; the platform has ${moments(platform)}.`,
      );
    }
    if (unnormalised === 0) return 0;
    terminal.note(
      `${unnormalised} ratings have no normalised one: their readers are not in ${input.readers}, or give every book the same stars.`,
    );
    return 3;
  },
});
