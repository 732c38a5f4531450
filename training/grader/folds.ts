import { type Random, shuffled } from "../../src/core/random.ts";
import type { Corpus } from "./corpus.ts";

/** Families of writers that appeared from April 2025 on, the youngest in the data. */
const NEWEST =
  /^(?:llama-4|quasar|optimus|gpt-4\.1|o4-mini|gemini-2\.5|glm-4|qwen3|mistral-medium-3|claude-opus-4|grok-3)/;

/**
 * Learns from the older writers on most of the stories and is tested by the newest on the others: whether what is learnt
 * carries over to writers that did not exist yet.
 */
export function newestWriterCells({ chapters }: Corpus, storyFolds: number, random: Random): Cell[] {
  const foldOf = dealFolds(
    chapters.map(({ story }) => story),
    storyFolds,
    random,
  );
  const positions = chapters.map(({ family, story }, position) => ({
    position,
    newest: NEWEST.test(family),
    fold: foldOf.get(story)!,
  }));
  return Array.from({ length: storyFolds }, (_, fold) => ({
    training: positions.filter((at) => !at.newest && at.fold !== fold).map((at) => at.position),
    test: positions.filter((at) => at.newest && at.fold === fold).map((at) => at.position),
  }));
}

/** Deals the distinct names into folds of nearly equal size, at random. */
export function dealFolds(names: readonly string[], folds: number, random: Random): Map<string, number> {
  const distinct = shuffled([...new Set(names)].sort(), random);
  return new Map(distinct.map((name, position): [string, number] => [name, position % folds]));
}

/** One cell of a double leave-out: what is tested shares neither writer nor story with what is learnt from. */
export interface Cell {
  readonly training: readonly number[];
  readonly test: readonly number[];
}

/**
 * Crosses folds of writers with folds of stories. Each cell is tested by a judge that never saw its writers nor its
 * stories; the chapters that share one of the two are left out of that cell altogether.
 */
export function doubleLeaveOut(
  items: readonly { readonly writer: string; readonly story: string }[],
  folds: { readonly writers: number; readonly stories: number },
  random: Random,
): Cell[] {
  const writers = dealFolds(
    items.map(({ writer }) => writer),
    folds.writers,
    random,
  );
  const stories = dealFolds(
    items.map(({ story }) => story),
    folds.stories,
    random,
  );
  const positions = items.map((item, position) => ({
    position,
    writerFold: writers.get(item.writer)!,
    storyFold: stories.get(item.story)!,
  }));
  const cells: Cell[] = [];
  for (let writerFold = 0; writerFold < folds.writers; writerFold++) {
    for (let storyFold = 0; storyFold < folds.stories; storyFold++) {
      const test = positions.filter((at) => at.writerFold === writerFold && at.storyFold === storyFold);
      const training = positions.filter((at) => at.writerFold !== writerFold && at.storyFold !== storyFold);
      if (test.length > 0) {
        cells.push({ training: training.map((at) => at.position), test: test.map((at) => at.position) });
      }
    }
  }
  return cells;
}

/** Each cell is tested on some of the writers and learns from all the others, on whatever stories. */
export function leaveOutWriters(items: readonly { readonly writer: string }[], folds: number, random: Random): Cell[] {
  const foldOf = dealFolds(
    items.map(({ writer }) => writer),
    folds,
    random,
  );
  const positions = items.map(({ writer }, position) => ({ position, fold: foldOf.get(writer)! }));
  return Array.from({ length: folds }, (_, fold) => ({
    training: positions.filter((at) => at.fold !== fold).map((at) => at.position),
    test: positions.filter((at) => at.fold === fold).map((at) => at.position),
  }));
}
