import { countBy } from "../../../core/group-by.ts";
import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { textTable } from "../../../report/report-forms.ts";
import { EXAM_SETTINGS, type ExamSetting, type GradeDifference, type ReadingExam } from "../../../tasks/qa/exam.ts";
import { examTask, writeQuestionsTask } from "../../../tasks/qa/questions.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const writeCommand = taskCommand(writeQuestionsTask, {
  usage:
    "Give one book and a language model: `fabula qa write novel.epub --judge openai:gpt-4.1 --out questions.jsonl`.",
  examples: [
    "fabula qa write novel.epub --judge openai:gpt-4.1 --out questions.jsonl --dropped dropped.jsonl --max-cost 5",
    "fabula qa write novel.epub --judge openai:gpt-4.1 --count 60 --dry-run",
  ],
  async present(result, { input: { out }, flags: { json }, terminal, show }) {
    const { plan, document, dropped, unanswered, known, knownUnchecked, run, asked } = result;
    if (plan) return showPlan(plan, json, terminal);
    if (out !== "-")
      await show(() =>
        document.qas
          .map(
            ({ question, answers, scope }) => `${plainLine(question)}\n  ${plainLine(answers.join(" / "))} (${scope})`,
          )
          .join("\n"),
      );
    terminal.note(`${countOf(document.qas.length, "question")} of ${asked} that were asked for.`);
    for (const [reason, count] of Object.entries(countBy(dropped.map(({ reason }) => reason))))
      terminal.note(`Left out: ${count} × ${reason}.`);
    if (known > 0) terminal.note(`${countOf(known, "question")} answered from the title alone: marked "known".`);
    if (knownUnchecked > 0)
      terminal.note(`${countOf(knownUnchecked, "question")} without an answer from the title alone: "known" is null.`);
    for (const { part, reason } of unanswered) terminal.note(`Not covered: ${part}, because ${reason}.`);
    if (out !== undefined && out !== "-") terminal.note(`Wrote ${out} and ${out}.card.md`);
    terminal.note(runInWords(run));
    return unanswered.length > 0 || knownUnchecked > 0 || document.qas.length === 0 ? 3 : 0;
  },
});

const SHOWN: Readonly<Record<ExamSetting, string>> = {
  open: "the book",
  summary: "a summary",
  closed: "the title alone",
  planted: "the book with faults",
};

export const examCommand = taskCommand(examTask, {
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

function describe(exam: ReadingExam): string {
  const { book, judge, grader, questions, known, settings, planted, differences, scopes } = exam;
  const shown = [
    ...EXAM_SETTINGS.map((setting) => [setting, settings[setting]] as const),
    ...(planted ? [["planted", planted] as const] : []),
  ];
  const rows = shown.map(([setting, { graded, mean, interval, right }]) => {
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
    ...(planted
      ? [
          `After a name or a number was changed in the evidence of ${countOf(planted.faults, "question")}, graded by the answers of the book as it was: ${differenceInWords(planted.change)}. ${countOf(planted.followed, "answer")} followed the changed text; a model that answers from memory follows none.`,
        ]
      : []),
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
