import { type Random, shuffled } from "../../core/random.ts";
import type { Corpus } from "./corpus.ts";
import type { Cell } from "./folds.ts";

/** Families of writers that appeared from April 2025 on, the youngest in the data. */
const NEWEST =
  /^(?:llama-4|quasar|optimus|gpt-4\.1|o4-mini|gemini-2\.5|glm-4|qwen3|mistral-medium-3|claude-opus-4|grok-3)/;

/**
 * Learns from the older writers on one half of the stories and is tested by the newest on the other half, and the other
 * way about: whether what is learnt carries over to writers that did not exist yet.
 */
export function newestWriterCells({ chapters }: Corpus, random: Random): Cell[] {
  const stories = shuffled([...new Set(chapters.map(({ story }) => story))].sort(), random);
  const firstHalf = new Set(stories.slice(0, stories.length / 2));
  const positions = chapters.map(({ family, story }, position) => ({
    position,
    newest: NEWEST.test(family),
    half: firstHalf.has(story),
  }));
  return [true, false].map((half) => ({
    training: positions.filter((at) => !at.newest && at.half !== half).map((at) => at.position),
    test: positions.filter((at) => at.newest && at.half === half).map((at) => at.position),
  }));
}
