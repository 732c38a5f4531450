import { FabulaError } from "../../core/errors.ts";
import { readBook } from "../../text/read-book.ts";
import { chosenChapters } from "./write-chapters.ts";

/** The fewest novels that make a population. */
const FEWEST_NOVELS = 2;
/** How many books are read to find out whether a corpus is English. */
const LOOKED_AT = 20;

/** Rejects a corpus in another language before it is prepared, because the embedded judge was trained on English. */
export async function refuseForeignCorpus(files: readonly string[], signal: AbortSignal): Promise<void> {
  async function* languages() {
    for (const file of files.slice(0, LOOKED_AT)) {
      signal.throwIfAborted();
      try {
        yield { novel: file, language: (await readBook(file)).language };
      } catch (error) {
        // `bench prepare` reports unreadable files itself.
        if (!(error instanceof FabulaError)) throw error;
      }
    }
  }
  await refuseForeign(languages(), "this corpus", "--judges openai:gpt-4o");
}

/** The same check for a prepared folder, before anything is scored. */
export async function refuseForeignFolder(folder: string): Promise<void> {
  const { chapters } = await chosenChapters(folder);
  await refuseForeign(chapters, folder, "--judge openai:gpt-4o");
}

async function refuseForeign(
  texts: AsyncIterable<{ readonly novel: string; readonly language: string | null }>,
  where: string,
  remedy: string,
): Promise<void> {
  const english = new Set<string>();
  const others = new Set<string>();
  for await (const { novel, language } of texts) {
    // A text whose language was not detected may be English; the judge checks each text itself.
    if (language === "en" || language === null) english.add(novel);
    else others.add(language);
    if (english.size >= FEWEST_NOVELS) return;
  }
  if (others.size === 0) return;
  const found = [...others].sort().join(", ");
  const rubric = others.has("zh") ? " --rubric novel-bench-zh" : "";
  throw new FabulaError(
    "E_BENCH_LANGUAGE",
    `The embedded judge reads English only, and the novels in ${where} are in another language (${found}): name a language model, such as ${remedy}${rubric}.`,
  );
}
