import { modelScorer } from "../../src/bench/scoring/model-scorer.ts";
import { makeSynopsis, type Synopsis } from "../../src/bench/synopsis/make-synopsis.ts";
import { writeChapter } from "../../src/bench/writing/write-chapter.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import { shippedPrompts } from "../../src/prompts/own-prompts.ts";
import type { ExampleMaterial } from "./example-books.ts";
import type { Session } from "./session.ts";

/** A chapter's synopsis, a chapter written from it, and the scores of the original: what the benchmark asks for. */
export async function benchSessions(language: PromptLanguage, { book }: ExampleMaterial): Promise<Session[]> {
  const rubric = await loadRubric(`novel-bench-${language}`);
  const chapter = book.chapters[0]!.text;
  return [
    {
      name: "bench",
      async run(model, signal) {
        const made = await makeSynopsis(
          model,
          chapter,
          { language, leakLimit: 0.2, attempts: 1, prompts: shippedPrompts },
          signal,
        );
        if (made.kind === "failed") throw new Error(`synopsis: ${made.reason}`);
        const synopsis: Synopsis = made.synopsis;
        const options = { language, maximumTokens: 4000, temperature: 0, words: 800, prompts: shippedPrompts };
        const written = await writeChapter(model, synopsis, rubric, options, signal);
        if (written.kind === "failed") throw new Error(`chapter: ${written.reason}`);
        for (const wholeNumbers of [false, true]) {
          const scorer = modelScorer(model, rubric, shippedPrompts, { wholeNumbers });
          const verdicts = Object.values(await scorer.score(chapter, 0, signal));
          const gap = verdicts.find((verdict) => verdict.kind === "unscored");
          if (gap) throw new Error(`scores: ${gap.reason}`);
        }
      },
    },
  ];
}
