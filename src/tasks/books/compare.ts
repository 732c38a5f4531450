import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import type { Goal } from "../../judge/pairwise.ts";
import { JURY } from "../../workflows/books/jury/embedded-judge.ts";
import { type Asked, fromInside, fromModels, wouldDo } from "../define/asked.ts";
import { field, group } from "../define/field.ts";
import { aspects, evaluating, judge, judgesOf, judgingRun, summariser, WITH_MODELS } from "../define/judge-fields.ts";
import { runServicesOf, runSettingsOf } from "../define/model-fields.ts";
import { books, defined } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

type Compared =
  | ({ readonly kind: "jury" } & import("../../workflows/books/jury/compare-with-jury.ts").JuryComparison)
  | ({ readonly kind: "model" } & import("../../workflows/books/compare-books.ts").BookComparison);

const goal = z.custom<Goal>(
  (value) => typeof value === "object" && value !== null && "kind" in value,
  "{this} {given} is not a goal: give topN, such as top3, or a number of points, such as 0.5.",
);

/** `top3`, or the half width that every strength is to be known to. */
function goalFrom(text: string): Goal | string {
  const top = /^top\s?(\d+)$/i.exec(text);
  if (top && Number(top[1]) > 0) return { kind: "top", count: Number(top[1]) };
  const halfWidth = Number(text);
  return text.trim() !== "" && halfWidth > 0 && Number.isFinite(halfWidth) ? { kind: "width", halfWidth } : text;
}

export const compareTask = defineTask({
  name: "compare",
  summary:
    "Compare books aspect by aspect, without a key or a network by default; more than two are ranked, by a model in a tournament.",
  library: { function: "compareBooks", options: "CompareOptions", first: "books" },
  input: z.strictObject({
    books: field(books, "the books", {
      operand: "FILE FILE...",
      remote: (far) => z.array(far.book).min(2),
      type: "readonly BookInput[]",
    }),
    judge: judge(
      JURY,
      "who compares: jury, crowd, editor, grader, or a language model such as openai:MODEL, ollama:MODEL, MODEL@http://host/v1",
    ),
    ...group(WITH_MODELS, {
      summariser: field(summariser, "who writes the summaries of long books [the judge]", {
        value: "NAME",
        type: "string | ChatModel",
      }),
      runs: field(
        z.number().int().min(1).max(50).default(3),
        "how many times a language model is asked in each order",
        { value: "N", remote: true },
      ),
      meetings: field(
        z.number().int().min(1).exactOptional(),
        "meetings in a tournament; three per book unless given",
        { value: "N", remote: true },
      ),
      until: field(
        goal.exactOptional(),
        "stop a tournament when this is reached: topN (the order of the first N) or a number (every strength known to ± that)",
        { value: "GOAL", fromText: goalFrom, type: "Goal" },
      ),
      rubric: field(evaluating.rubric, "the aspects a language model compares [long-story]", {
        value: "NAME|FILE",
        type: "string | Rubric",
      }),
    }),
    aspects: field(aspects, "only these aspects", { value: "A,B", remote: true }),
    ...judgingRun,
  }),
  async run(input, services): Promise<Asked<Compared>> {
    const { books: sources, dryRun, aspects: chosen } = input;
    const judges = judgesOf(input);
    const { signal, onProgress } = services;
    if (judges.kind === "embedded" && dryRun) {
      const { booksInWords } = await import("./evaluate-books.ts");
      const { openBook } = await import("./open-book.ts");
      return wouldDo(booksInWords(await Promise.all(sources.map((source) => openBook(source)))));
    }
    if (judges.kind === "embedded") {
      const { compareWithJury } = await import("../../workflows/books/jury/compare-with-jury.ts");
      const asked = { judge: judges.name, signal, onProgress, ...defined({ aspects: chosen }) };
      return fromInside({ kind: "jury", ...(await compareWithJury(sources, asked)) });
    }
    const { compareBooks } = await import("../../workflows/books/compare-books.ts");
    const { summariser: writer, meetings, until, rubric } = input;
    const outcome = await compareBooks(sources, {
      judge: judges.models[0]!,
      runs: input.runs,
      ...defined({ summariser: writer, meetings, until, rubric, aspects: chosen }),
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress,
    });
    return fromModels({ ...outcome, result: { kind: "model", ...outcome.result } });
  },
  output: {
    kind: "comparison",
    body: ({ result: { kind: _kind, ...result }, run }) => ({
      ...result,
      ...(run && { run: run.id, calls: run.summary.calls, ...costFields(run.summary) }),
    }),
  },
});
