import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { type AnswerMaterial, answerQuestion } from "../../src/qa/answering/answer-question.ts";
import { passagesOf } from "../../src/qa/answering/passages.ts";
import { judgeDocument } from "../../src/qa/filtering/judge-document.ts";
import { gradeAnswer } from "../../src/qa/judging/grade-answer.ts";
import { checkAnswer, checkQuestion } from "../../src/qa/refinement/check-text.ts";
import type { ExampleMaterial } from "./example-books.ts";
import type { Session } from "./session.ts";

const QUESTION = "Who carries the box of standards down the steps?";
const ANSWER = "Anders Coll, the ferryman";

/** Questions about the example answered, graded and checked, and the example itself checked as a document of a data set. */
export async function qaSessions({ book }: ExampleMaterial): Promise<Session[]> {
  const rubric = await loadRubric("qa-grading");
  const { title } = book;
  const summary = book.premise ?? title;
  const materials: AnswerMaterial[] = [
    { setting: "summary", summary },
    { setting: "retrieval", passages: passagesOf(book).slice(0, 2) },
  ];
  return [
    ...materials.map(
      (material): Session => ({
        name: `qa answer (${material.setting})`,
        async run(model, signal) {
          const answer = await answerQuestion(model, { title, question: QUESTION, material }, signal);
          if (answer.kind === "unanswered") throw new Error(answer.reason);
        },
      }),
    ),
    {
      name: "qa score",
      async run(model, signal) {
        const answered = { question: QUESTION, references: [ANSWER, "the ferryman"], answer: "A boatman", summary };
        const { verdict } = await gradeAnswer(model, rubric, answered, signal);
        if (verdict.kind === "unscored") throw new Error(verdict.reason);
      },
    },
    {
      name: "qa refine",
      async run(model, signal) {
        const checks = [
          await checkQuestion(model, { summary, question: QUESTION }, signal),
          await checkAnswer(model, { summary, question: QUESTION, answer: ANSWER }, signal),
        ];
        const gap = checks.find((check) => check.kind === "unchecked");
        if (gap) throw new Error(gap.reason);
      },
    },
    {
      name: "qa filter",
      async run(model, signal) {
        const opinion = await judgeDocument(model, { title, summary, opening: book.chapters[0]!.text }, signal);
        if (opinion.kind === "unjudged") throw new Error(opinion.reason);
      },
    },
  ];
}
