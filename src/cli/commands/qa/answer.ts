import { countOf } from "../../../core/wording/count-of.ts";
import { SETTINGS } from "../../../qa/answering/answer-question.ts";
import { OVERLONG_RULES } from "../../../qa/answering/open-text.ts";
import { type AnswerReport, answerQuestions } from "../../../workflows/qa/answer.ts";
import { piecesOfAnswering } from "../../../workflows/queue/jobs/questions.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { QUESTION_FLAGS } from "../../flags/question-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { runServices } from "../../run-services.ts";
import { refuseStandardInput, runHereOrShared } from "../../shared-run.ts";

export default defineCommand({
  summary: "Have a model answer questions about books.",
  operands: "",
  flags: {
    ...QUESTION_FLAGS,
    model: { type: "string", value: "MODEL", help: "the model that answers: openai:MODEL, MODEL@http://host/v1, …" },
    setting: {
      type: "string",
      default: "open",
      choices: SETTINGS,
      value: "SETTING",
      help: "what the model sees: the whole text, passages retrieved from it, the summary, or the title alone",
    },
    texts: { type: "string", value: "FOLDER", help: "the books' texts, named by document id or Gutenberg number" },
    passages: {
      type: "number",
      default: 8,
      minimum: 1,
      maximum: 100,
      integer: true,
      value: "N",
      help: "how many passages to retrieve",
    },
    "context-tokens": {
      type: "number",
      minimum: 256,
      integer: true,
      value: "N",
      help: "the size of the model's context, when Fabula does not know it",
    },
    overlong: {
      type: "string",
      default: "refuse",
      choices: OVERLONG_RULES,
      value: "RULE",
      help: "a book that does not fit: refuse it, show its beginning, or show the passage that fits the question best",
    },
    out: { type: "string", value: "FILE", help: "write one answer per line, for `fabula qa score`" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula qa answer --in test.jsonl --model openai:gpt-4.1 --texts books/ --out answers.jsonl --max-cost 20",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --texts books/ --context-tokens 32000 --overlong window --out answers.jsonl",
    "fabula qa answer --in test.jsonl --model ollama:llama3.1 --setting retrieval --texts books/ --out answers.jsonl",
  ],
  async run({ flags, terminal, signal }) {
    const setting = SETTINGS.find((name) => name === flags.setting)!;
    const settings = runSettings(flags);
    const input = refuseStandardInput(requireFlag("qa answer", "in", flags.in), settings, flags);
    const output = requireFlag("qa answer", "out", flags.out);
    const options = {
      model: requireFlag("qa answer", "model", flags.model),
      setting,
      passageCount: flags.passages,
      overlong: OVERLONG_RULES.find((rule) => rule === flags.overlong)!,
      ...(flags["context-tokens"] !== undefined && { contextTokens: flags["context-tokens"] }),
    };
    const outcome = await runHereOrShared(
      settings,
      flags,
      { terminal, signal },
      () => ({
        kind: "answer-questions",
        options,
        models: [options.model],
        pieces: piecesOfAnswering(input, flags.split, flags.texts),
      }),
      (own) =>
        answerQuestions({
          ...options,
          input,
          output,
          ...(flags.split !== undefined && { split: flags.split }),
          ...(flags.texts !== undefined && { texts: flags.texts }),
          settings: own,
          services: runServices(terminal, signal),
          onProgress: terminal.progress,
        }),
    );
    if (!outcome) return 0;
    return showOutcome(outcome, flags.json, terminal, (result) => ({
      kind: "qa-answers",
      document: result,
      lines: output === "-" ? [] : inWords(result),
      isWhole: result.answered >= result.questions,
    }));
  },
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
