import { FabulaError } from "../../core/errors.ts";
import { chosenChapters } from "./writers.ts";

/** The fewest novels that make a population. */
const FEWEST_NOVELS = 2;

/** The embedded judge was trained on English: a folder in another language is rejected before anything is scored. */
export async function refuseForeignFolder(folder: string): Promise<void> {
  const english = new Set<string>();
  const others = new Set<string>();
  const { chapters } = await chosenChapters(folder);
  for await (const { novel, language } of chapters) {
    // An undetected language may be English: the judge checks each text itself.
    if (language === "en" || language === null) english.add(novel);
    else others.add(language);
    if (english.size >= FEWEST_NOVELS) return;
  }
  if (others.size === 0) return;
  const found = [...others].sort().join(", ");
  const rubric = others.has("zh") ? " --rubric novel-bench-zh" : "";
  throw new FabulaError(
    "E_BENCH_LANGUAGE",
    `The embedded judge reads English only, and the novels in ${folder} are in another language (${found}): name a language model, such as --judge openai:gpt-4o${rubric}.`,
  );
}
