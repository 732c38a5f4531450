import { loadRubric } from "../../criteria/load-rubric.ts";
import { type Judging, selectCriteria } from "../../judge/material/judging.ts";
import { charactersText } from "../../judge/summary/notes.ts";
import { summariseBook } from "../../judge/summary/summarise.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { compareAs, type PersonalComparison } from "../../reader/evaluation/personal-comparison.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import type { PersonalPrediction } from "../../reader/predictor/predict-rating.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { readBook } from "../../text/read-book.ts";
import { segmentBook } from "../../text/segments.ts";
import { bookStory, missingFrom } from "../books/reading/book-story.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";
import { compareEmbedded } from "./compare.ts";

/** Below this difference in stars the predictor states no preference. */
const SAME = 0.05;

export interface EmbeddedPreference {
  readonly reader: string;
  readonly judge: "embedded";
  readonly books: readonly { readonly file: string; readonly title: string; readonly missing: readonly string[] }[];
  readonly left: PersonalPrediction;
  readonly right: PersonalPrediction;
  /** Null when one of them could not be predicted. */
  readonly preferred: "left" | "right" | "tie" | null;
}

/** Which of two books a reader would rate higher, from their descriptions alone, without a model. */
export async function preferEmbedded(
  files: readonly [string, string],
  profile: ReaderProfile,
): Promise<EmbeddedPreference> {
  const stories = await Promise.all(files.map(async (file) => bookStory(await readBook(file))));
  const { left, right } = compareEmbedded(profile, stories[0]!, stories[1]!);
  const both = left.kind === "predicted" && right.kind === "predicted" ? left.rating - right.rating : null;
  return {
    reader: profile.name,
    judge: "embedded",
    books: stories.map((story, at) => ({
      file: files[at]!,
      title: story.title ?? files[at]!,
      missing: missingFrom(story),
    })),
    left,
    right,
    preferred: both === null ? null : Math.abs(both) < SAME ? "tie" : both > 0 ? "left" : "right",
  };
}

export interface ReaderPreferenceOptions {
  readonly judge: string;
  readonly summariser?: string;
  /** How often each order is asked. */
  readonly runs: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
}

/** How many earlier reviews the model is shown, and how freely it answers: as in `reader compare`. */
const REVIEWS_SHOWN = 3;
const TEMPERATURE = 0.8;

/** The same asked of a model: both books are summarised, and it says in both orders which this reader would prefer. */
export async function preferWithModel(
  files: readonly [string, string],
  profile: ReaderProfile,
  { judge, summariser, runs, settings, services }: ReaderPreferenceOptions,
): Promise<RunOutcome<PersonalComparison & { readonly books: EmbeddedPreference["books"] }>> {
  const rubric = await loadRubric("personal");
  const judging: Judging = {
    rubric,
    criteria: selectCriteria(rubric, null),
    definitions: true,
    language: promptLanguage(profile.language),
    temperature: TEMPERATURE,
  };
  return inRun(settings, services, async (run) => {
    const model = await run.model(judge);
    const reads = summariser === undefined ? model : await run.model(summariser);
    const stories = await Promise.all(
      files.map(async (file) => {
        const book = await readBook(file);
        const material = { book, segments: segmentBook(book), language: promptLanguage(book.language) };
        const { notes, missing } = await summariseBook(reads, material, services.signal).whole;
        const whole = notes && missing.length === 0 ? notes : null;
        return bookStory(book, { plot: whole?.plot ?? null, characters: whole && charactersText(whole.characters) });
      }),
    );
    const [left, right] = [stories[0]!, stories[1]!];
    const compared = await compareAs(
      model,
      loadPersonalModel(),
      profile.reviews,
      { left, right },
      {
        judging,
        count: REVIEWS_SHOWN,
        withWords: true,
        runs,
        ...(profile.comparisons && { comparisons: profile.comparisons }),
      },
      services.signal,
    );
    const books = stories.map((story, at) => ({
      file: files[at]!,
      title: story.title ?? files[at]!,
      missing: missingFrom(story),
    }));
    return { ...compared, books };
  });
}
