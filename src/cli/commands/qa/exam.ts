import { countOf } from "../../../core/wording.ts";
import { EXAM_SETTINGS, type ExamSetting, type GradeDifference, type ReadingExam } from "../../../tasks/qa/exam.ts";
import { examTask } from "../../../tasks/qa/questions.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

const SHOWN: Readonly<Record<ExamSetting, string>> = {
  open: "the book",
  summary: "a summary",
  closed: "the title alone",
};

export default taskCommand(examTask, {
  usage: "Give one book and a language model: `fabula qa exam novel.epub --judge openai:gpt-4.1`.",
  examples: [
    "fabula qa exam novel.epub --judge openai:gpt-4.1 --questions questions.jsonl --grader anthropic:claude-sonnet-4-5",
    "fabula qa exam novel.epub --judge openai:gpt-4.1 --count 40 --out answers.jsonl --max-cost 10",
  ],
  async present(result, { flags: { json }, terminal, show }) {
    const { plan, missing, run, settings } = result;
    if (plan) return showPlan(plan, json, terminal);
    await show(() => describe(result));
    for (const [reason, count] of Object.entries(missing)) terminal.note(`No grade: ${count} × ${reason}.`);
    terminal.note(runInWords(run));
    return Object.keys(missing).length > 0 || settings.open.graded === 0 ? 3 : 0;
  },
});

function describe({ book, judge, grader, questions, known, settings, differences, scopes }: ReadingExam): string {
  const rows = EXAM_SETTINGS.map((setting) => {
    const { graded, mean, interval, right } = settings[setting];
    return [
      SHOWN[setting],
      `${graded}`,
      mean === null ? "–" : `${mean.toFixed(2)}${rangeInWords(interval)}`,
      graded === 0 ? "–" : `${right} of ${graded}`,
    ];
  });
  const added = differences.map(
    (one) => `${capital(SHOWN[one.left])} over ${SHOWN[one.right]}: ${differenceInWords(one)}`,
  );
  return [
    `${judge} on ${book.title}: ${countOf(questions, "question")}, graded from 1 to 5 by ${grader === judge ? "itself" : grader}`,
    textTable(["shown", "graded", "mean grade", "right"], rows),
    [
      "What reading added, in grades, over the questions graded in both ways:",
      ...added.map((line) => `  ${line}`),
    ].join("\n"),
    ...(scopes.length > 1
      ? [
          [
            "The book over its title alone, by where the evidence stands:",
            ...scopes.map((one) => `  ${one.scope}: ${differenceInWords(one)}`),
          ].join("\n"),
        ]
      : []),
    `95 % intervals are over questions about this one book: they say how far other questions might change the figure, not other books.${known > 0 ? ` The writer of the questions could answer ${known} of them from the title alone.` : ""}${grader === judge ? " A model that grades itself may be lenient: name another with --grader." : ""}`,
  ].join("\n\n");
}

function differenceInWords({ difference, interval, n }: GradeDifference): string {
  if (difference === null) return "not known";
  return `${difference >= 0 ? "+" : "−"}${Math.abs(difference).toFixed(2)}${rangeInWords(interval)} (${countOf(n, "question")})`;
}

function rangeInWords(interval: readonly [number, number] | null): string {
  return interval === null ? "" : ` [${interval.map((end) => end.toFixed(2).replace("-", "−")).join(", ")}]`;
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
