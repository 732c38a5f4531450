import { join } from "node:path";

/** What a run of answers keeps: all answers with their scores, the systems compared, and what raters gave. */
export function runFiles(folder: string) {
  return {
    rows: join(folder, "answers.jsonl"),
    comparison: join(folder, "comparison.json"),
    ratings: join(folder, "ratings.json"),
  };
}
