import { countOf } from "../../../core/wording.ts";
import { qaDedupeTask } from "../../../tasks/qa/data.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaDedupeTask, {
  examples: [
    "fabula qa dedupe --in test.jsonl --review pairs.jsonl",
    "fabula qa dedupe --in test.jsonl --decisions pairs.jsonl --out unique.jsonl",
  ],
  async present({ duplicates, removed, doubtful, questions, documents }, { input, show }) {
    const pairs = duplicates.map(
      ({ decision, similarity, title, kept, duplicate }) =>
        `${decision === "remove" ? "remove" : "keep  "}  ${similarity.toFixed(2)}  ${title}\n` +
        `          ${kept}\n          ${duplicate}`,
    );
    const sum =
      `${countOf(removed, "duplicate question")} removed, ${countOf(doubtful, "pair")} kept because their answers disagree; ` +
      `${questions} questions about ${documents} books remain.`;
    await show(() => (input.out === "-" || input.review === "-" ? "" : [...pairs, sum].join("\n")));
    return 0;
  },
});
