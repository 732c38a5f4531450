import { benchFiles, chosenChapterSchema } from "../../../bench/bench-folder.ts";
import { UNKNOWN_WRITER } from "../../../bench/scored-chapter.ts";
import { jsonLines } from "../../../core/json-lines.ts";
import { recognise } from "../../../judge/probe/recognise.ts";
import { promptLanguage } from "../../../prompts/load-prompt.ts";
import { mapBounded } from "../../../runner/map-bounded.ts";
import type { Run } from "../../../runner/open-run.ts";
import type { ListedWriter } from "./writer-list.ts";

/** How many novels a writer named from a passage, of those that it was asked about and answered. */
export interface Recognised {
  readonly known: number;
  readonly asked: number;
}

const PASSAGE_CHARACTERS = 3000;

/** Asks every writer, for each novel that is written, whether it knows the original from a passage without its title. */
export async function probeWriters(
  run: Run,
  {
    folder,
    writers,
    novels,
    signal,
  }: {
    readonly folder: string;
    readonly writers: readonly ListedWriter[];
    readonly novels: ReadonlySet<string>;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<string, Recognised>> {
  const passages = new Map<string, { text: string; title: string; author: string; language: string | null }>();
  for await (const chapter of jsonLines(benchFiles(folder).chapters, chosenChapterSchema)) {
    const { novel, text, title, writer: author, language } = chapter;
    if (novels.has(novel) && !passages.has(novel))
      passages.set(novel, { text: text.slice(0, PASSAGE_CHARACTERS), title, author, language });
  }
  const found = new Map<string, Recognised>();
  for (const { model: name } of writers) {
    const model = await run.model(name);
    const answers = await mapBounded([...passages.values()], run.concurrency, ({ text, title, author, language }) =>
      recognise(
        model,
        text,
        { title, author: author === UNKNOWN_WRITER ? null : author },
        promptLanguage(language),
        signal,
      ),
    );
    const read = answers.flatMap((answer) => (answer.kind === "read" ? [answer.value] : []));
    found.set(name, { known: read.filter(({ recognised }) => recognised).length, asked: read.length });
  }
  return found;
}
