import { seededRandom } from "../../src/core/random.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { selectCriteria } from "../../src/judge/material/judging.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import { prepareStory } from "../../src/reader/dataset/prepare-story.ts";
import { compareAs } from "../../src/reader/evaluation/personal-comparison.ts";
import { reviewAs } from "../../src/reader/evaluation/personal-review.ts";
import { TEN } from "../../src/reader/evaluation/score-scale.ts";
import { Likeness } from "../../src/reader/predictor/likeness.ts";
import type { Story } from "../../src/reader/predictor/story.ts";
import { loadAspectVocabulary } from "../../src/reviews/aspect-vocabulary.ts";
import { aspectMapper } from "../../src/reviews/map-aspect.ts";
import { structureReview } from "../../src/reviews/structure-review.ts";
import type { ExampleMaterial } from "./example-books.ts";
import type { Session } from "./session.ts";

const RAW_REVIEW =
  "ok so I stayed up till 3 for this one. the island felt REAL, you can smell the herring. Hester is such a good lead, " +
  "stubborn in the right way, but the buyer is a cardboard cutout and the middle is slow. still thinking about that weight. 4 stars";

/** A review and a comparison as one reader would make them, a story made hard to recognise, and a raw review put in order. */
export async function readerSessions(language: PromptLanguage, material: ExampleMaterial): Promise<Session[]> {
  const { book, outline, reviews } = material;
  const story: Story = { title: book.title, genres: [...book.genres], premise: book.premise ?? undefined };
  const planned: Story = {
    title: outline.title,
    genres: [...outline.genres],
    premise: outline.premise ?? undefined,
    plot_summary: outline.plot,
  };
  const model = { likeness: Likeness.fit([...reviews, story, planned]) };
  const rubric = await loadRubric("personal");
  const judging = { rubric, criteria: selectCriteria(rubric, null), definitions: true, language, temperature: 0 };
  return [
    {
      name: "reader review",
      async run(judge, signal) {
        const { spread } = await reviewAs(
          judge,
          model,
          reviews,
          story,
          {
            count: 2,
            withWords: true,
            scale: TEN,
            orders: 1,
            language,
            reviewLanguage: language,
            temperature: 0,
            random: seededRandom(1),
          },
          signal,
        );
        if (spread.verdict.kind === "unscored") throw new Error(`review: ${spread.verdict.reason}`);
      },
    },
    {
      name: "reader compare",
      async run(judge, signal) {
        const options = { judging, count: 2, withWords: true, runs: 1 };
        const { failures } = await compareAs(judge, model, reviews, { left: story, right: planned }, options, signal);
        if (failures.length > 0) throw new Error(`comparison: ${failures[0]}`);
      },
    },
    {
      name: "reader dataset",
      async run(judge, signal) {
        const prepared = await prepareStory(judge, planned, language, signal);
        if (prepared.kind === "unprepared") throw new Error(prepared.reason);
      },
    },
    ...(language === "en" ? [await structuring()] : []),
  ];
}

async function structuring(): Promise<Session> {
  const map = aspectMapper(await loadAspectVocabulary(), await loadRubric("long-story"));
  return {
    name: "reviews structure",
    async run(model, signal) {
      const structured = await structureReview({ book: "1", reviewer: "1", text: RAW_REVIEW }, [model], map, signal);
      if (structured.kind !== "structured") throw new Error(structured.reason);
    },
  };
}
