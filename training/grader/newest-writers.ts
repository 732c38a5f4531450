import type { Random } from "../../src/core/random.ts";
import type { Corpus } from "./corpus.ts";
import { type Cell, dealFolds } from "./folds.ts";

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
