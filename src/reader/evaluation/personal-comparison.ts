import { askPrompt } from "../../judge/ask.ts";
import type { JudgeInstructions } from "../../judge/material.ts";
import {
  comparePair,
  type Meeting,
  type PairOutcome,
  type PositionBias,
  positionBias,
  type Tally,
  tally,
} from "../../judge/pairwise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type Protocol, persePastChoice, readPerseChoice } from "../perse.ts";
import type { PersonalModel } from "../predictor/personal-model.ts";
import type { PastReview, Story } from "../predictor/story.ts";
import type { PastComparison } from "../profile/past-comparison.ts";
import { type ChosenReviews, chooseReviews } from "./choose-reviews.ts";
import { NOTHING_TO_SHOW, pairTexts, pastComparisonText, pastReviewText } from "./describe-history.ts";
import { tokensForHistory } from "./personal-review.ts";
import { TEN } from "./score-scale.ts";

export interface PersonalComparison {
  readonly aspects: readonly (Tally & {
    readonly id: string;
    readonly name: string;
    readonly reasons: readonly string[];
  })[];
  readonly overall: Tally;
  readonly positionBias: PositionBias;
  readonly history: ChosenReviews;
  /** How many earlier choices between two stories the judge was shown. */
  readonly comparisonsShown: number;
  readonly failures: PairOutcome["failures"];
}

/** PerSE's comparative evaluation: which of two stories this reader prefers, aspect by aspect, asked in both orders. */
export async function compareAs(
  judge: ChatModel,
  model: Pick<PersonalModel, "likeness" | "centres">,
  reviews: readonly PastReview[],
  stories: { readonly left: Story; readonly right: Story },
  options: {
    readonly instructions: JudgeInstructions;
    /** At most this many earlier choices and this many earlier reviews are shown. */
    readonly count: number;
    readonly withWords: boolean;
    readonly runs: number;
    /** Which of two stories the reader preferred before. */
    readonly comparisons?: readonly PastComparison[];
    readonly protocol?: Protocol;
  },
  signal: AbortSignal,
): Promise<PersonalComparison> {
  const { instructions, withWords } = options;
  const { language } = instructions;
  const textOf = (review: PastReview, position = 1) =>
    pastReviewText(review, position, { scale: TEN, language, withWords });
  const { left, right } = stories;
  const [premise, first, second] = pairTexts(left, right, language);
  const of = (field: "premise" | "plot_summary" | "characters") =>
    [left[field], right[field]].filter(Boolean).join("\n") || undefined;
  // Which reviews are shown must not depend on which story is named first.
  const both: Story = {
    genres: [...new Set([...left.genres, ...right.genres])],
    premise: of("premise"),
    plot_summary: of("plot_summary"),
    characters: of("characters"),
  };
  const nameOf = (id: string) => instructions.criteria.find((criterion) => criterion.id === id)?.name ?? id;
  const { comparisons = [] } = options;
  const earlier = comparisons.slice(Math.max(0, comparisons.length - options.count));
  const choices = earlier.map((past, index) => pastComparisonText(past, index + 1, { language, nameOf }));
  const history = chooseReviews(model, reviews, both, {
    count: options.count,
    tokens: tokensForHistory(judge.contextTokens, first, second, ...choices),
    textOf,
  });
  const shown = [...choices, ...history.chosen.map((review, index) => textOf(review, index + 1))].join("\n\n");
  const { meetings, failures }: PairOutcome =
    first === "" || second === ""
      ? { meetings: [], failures: [NOTHING_TO_SHOW] }
      : options.protocol === "perse"
        ? await comparePlots(judge, instructions, stories, earlier, options.runs, signal)
        : await comparePair(
            judge,
            instructions,
            { id: "left", text: first },
            { id: "right", text: second },
            options.runs,
            signal,
            { prompt: "personal-compare", values: { history: shown, premise } },
          );
  return {
    aspects: instructions.criteria.map(({ id, name }) => ({
      id,
      name,
      ...tally(meetings, id),
      reasons: meetings.flatMap(({ choices }) => choices[id]?.reason ?? []),
    })),
    overall: tally(meetings, "overall"),
    positionBias: positionBias(meetings),
    history,
    comparisonsShown: choices.length,
    failures,
  };
}

const CHOICE_TOKENS = 200;

/** PerSE's way: one question for each aspect, with the reader's earlier choices on it, and none about the whole. */
async function comparePlots(
  judge: ChatModel,
  { criteria, temperature }: JudgeInstructions,
  { left, right }: { readonly left: Story; readonly right: Story },
  earlier: readonly PastComparison[],
  runs: number,
  signal: AbortSignal,
): Promise<PairOutcome> {
  const failures: string[] = [];
  const askOnce = async (run: number, leftFirst: boolean): Promise<Meeting> => {
    const [premise, first, second] = leftFirst ? pairTexts(left, right, "en") : pairTexts(right, left, "en");
    const answers = await Promise.all(
      criteria.map(async ({ id, name: aspect, definition }) => {
        const history = earlier.flatMap((past) => persePastChoice(past, { id, name: aspect }) ?? []).join("\n\n");
        const answer = await askPrompt(
          judge,
          {
            prompt: "perse-compare",
            language: "en",
            values: { history, premise, first, second, aspect, definition },
            purpose: "judge",
            read: readPerseChoice,
            layout: () => `[${aspect}] Plot A`,
            maximumTokens: CHOICE_TOKENS,
            temperature,
            sample: run,
          },
          signal,
        );
        if (answer.kind === "answered") return [id, answer.value] as const;
        failures.push(`${aspect}: ${answer.reason}`);
        return null;
      }),
    );
    const outcome = (choice: "first" | "second" | "tie") =>
      choice === "tie" ? "tie" : (choice === "first") === leftFirst ? "left" : "right";
    const choices = answers
      .filter((answer) => answer !== null)
      .map(([id, choice]) => [id, { outcome: outcome(choice), reason: "" }] as const);
    return { left: "left", right: "right", leftFirst, run, choices: Object.fromEntries(choices) };
  };
  const meetings = await Promise.all(
    Array.from({ length: runs }, (_, run) => [askOnce(run, true), askOnce(run, false)]).flat(),
  );
  return { meetings: meetings.filter(({ choices }) => Object.keys(choices).length > 0), failures };
}
