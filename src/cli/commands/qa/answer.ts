import { countOf } from "../../../core/wording.ts";
import { qaAnswerTask } from "../../../tasks/qa/answers.ts";
import type { AnswerReport } from "../../../workflows/qa/answer.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaAnswerTask, {
  shares: true,
  examples: [
    "fabula qa answer --in test.jsonl --model openai:gpt-4.1 --texts books/ --out answers.jsonl --max-cost 20",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --texts books/ --context-tokens 32000 --overlong window --out answers.jsonl",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --setting retrieval --texts books/ --out answers.jsonl",
  ],
  present: async (asked, context) =>
    asked === null
      ? 0
      : showAsked(asked, context, (result) => ({
          lines: context.input.out === "-" ? [] : inWords(result),
          isWhole: result.answered >= result.questions,
        })),
});

function* inWords(report: AnswerReport): Generator<string> {
  const { answered, questions, unanswered, partlySeen, meanShareSeen } = report;
  yield `${answered} of ${countOf(questions, "question")} answered.`;
  yield* reasonsInWords("unanswered", unanswered);
  if (partlySeen > 0 && meanShareSeen !== null) {
    const share = Math.round(100 * meanShareSeen);
    yield `  ${partlySeen} from only part of the book: on average ${share} % of a book was shown.`;
  }
}
