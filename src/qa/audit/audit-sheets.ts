import { type Random, shuffled } from "../../core/random.ts";
import type { AuditedSample } from "./audited-sample.ts";

/** A line that a reviewer fills in: `decision` is yes or no. */
export type SheetRow = Readonly<Record<"id" | "title" | "summary" | "question" | "what" | "text" | "decision", string>>;

export interface AuditSheets {
  /** Texts before refinement, changed and unchanged mixed: is each acceptable? */
  readonly originals: readonly SheetRow[];
  /** Samples as they were corrected: is each right now? To be given out after the originals, since it shows which changed. */
  readonly corrections: readonly SheetRow[];
}

export interface SheetOptions {
  /** At most so many changed samples, and so many unchanged ones, drawn at random. */
  readonly changed: number;
  readonly unchanged: number;
  readonly random: Random;
}

/** Unchanged samples are mixed in, in random order, so that what refinement missed can be counted as well. */
export function auditSheets(samples: readonly AuditedSample[], options: SheetOptions): AuditSheets {
  const { random } = options;
  const draw = (of: readonly AuditedSample[], count: number) => shuffled(of, random).slice(0, count);
  const changed = draw(
    samples.filter(({ correction }) => correction !== "none"),
    options.changed,
  );
  const unchanged = draw(
    samples.filter(({ correction }) => correction === "none"),
    options.unchanged,
  );
  return {
    originals: shuffled([...changed, ...unchanged], random).flatMap((sample) =>
      sample.texts.map(({ id, answer, original }) =>
        rowOf(sample, id, answer < 0 ? "question" : `answer ${answer + 1}`, original),
      ),
    ),
    corrections: changed.map((sample) => {
      const { question, answers } = sample.refined;
      const text = [question, ...answers.map((answer, index) => `${index + 1}. ${answer}`)].join("\n");
      return rowOf(sample, sample.id, "corrected sample", text);
    }),
  };
}

function rowOf({ document, question }: AuditedSample, id: string, what: string, text: string): SheetRow {
  return { id, title: document.title, summary: document.summary, question, what, text, decision: "" };
}
