import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { mapText } from "../../prose/map/text-map.ts";

export interface MapTextsRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  readonly output: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

const rowSchema = z.object({ id: z.union([z.string(), z.number()]), text: z.string() });

/** Maps texts one line at a time: who speaks, how much is dialogue, which person tells. Returns how many. */
export async function mapTexts({ input, output, signal, onProgress }: MapTextsRequest): Promise<number> {
  let done = 0;
  async function* lines() {
    for await (const { id, text } of jsonLines(input, rowSchema)) {
      signal.throwIfAborted();
      yield { id, ...mapText(text) };
      onProgress({ stage: "Mapping", done: ++done, total: null });
    }
  }
  await writeJsonLines(output, lines());
  return done;
}
