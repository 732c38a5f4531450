import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { checkJsonLinesName, numberedLines, writeLines } from "../../core/json-lines.ts";
import { jurorNamed } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import { defineJob } from "../../queue/job.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { type ScoreSummary, scoreItems, unscoredLines } from "../books/score-items.ts";

const LINES_TOGETHER = 500;
const CHARACTERS_TOGETHER = 4_000_000;

const summarySchema = z.object({
  judge: z.string(),
  version: z.string(),
  rubric: z.string().nullable(),
  items: z.number(),
  scored: z.number(),
  unscored: z.number(),
  unreadableLines: z.array(z.number()),
});
const resultSchema = z.object({ lines: z.string(), summary: summarySchema });

/** The embedded judges call no model, so the scored lines themselves are returned. */
export const scoreItemsJob = defineJob({
  options: z.object({ judge: z.string(), rubric: z.string().optional(), keep: z.array(z.string()).optional() }),
  data: z.object({ firstLine: z.number().int(), text: z.string() }),
  async perform(
    { judge, rubric, keep },
    { firstLine, text },
    { folder, services },
  ): Promise<z.infer<typeof resultSchema>> {
    const [input, output] = [join(folder, "items.jsonl"), join(folder, "scores.jsonl")];
    await writeFile(input, text);
    const { signal } = services;
    const summary = await scoreItems({
      input,
      output,
      judge,
      ...(rubric !== undefined && { rubric }),
      ...(keep && { keep }),
      firstLine,
      signal,
      onProgress: () => {},
    });
    return {
      lines: await readFile(output, "utf8"),
      summary: { ...summary, unreadableLines: [...summary.unreadableLines] },
    };
  },
});

/** Blank lines stay where they are, so that every line keeps its number. */
export async function* piecesOfItems(input: string): AsyncGenerator<PieceDraft> {
  let first = 1;
  let next = 1;
  let text = "";
  const draft = () => ({ label: `lines ${first}–${next - 1}`, data: { firstLine: first, text } });
  for await (const { number, line } of numberedLines(input)) {
    text += "\n".repeat(number - next) + line + "\n";
    next = number + 1;
    if (next - first < LINES_TOGETHER && text.length < CHARACTERS_TOGETHER) continue;
    yield draft();
    first = next;
    text = "";
  }
  if (text !== "") yield draft();
}

/** Writes the pieces' lines to one file and sums up all of them. */
export async function assembleScores(
  results: AsyncIterable<unknown>,
  { input, output }: { readonly input: string; readonly output: string },
  { judge, rubric, keep = [] }: { readonly judge: string; readonly rubric?: string; readonly keep?: readonly string[] },
): Promise<ScoreSummary> {
  const juror = (await loadJury()).jurors[jurorNamed(judge)];
  const { id, version } = juror;
  const by = id === "grader" ? (rubric ?? "grader") : null;
  let all: ScoreSummary = { judge: id, version, rubric: by, items: 0, scored: 0, unscored: 0, unreadableLines: [] };
  async function* lines() {
    const drafts = piecesOfItems(input);
    for await (const result of results) {
      const draft = await drafts.next();
      if (result instanceof PieceSetAside) {
        const { firstLine, text } = scoreItemsJob.data.parse(draft.value?.data);
        const { items, unreadableLines } = unscoredLines(text, firstLine, juror, { reason: result.reason, keep });
        all = sum(all, { ...all, items: items.length, scored: 0, unscored: items.length, unreadableLines });
        yield items.map((item) => `${JSON.stringify(item)}\n`).join("");
        continue;
      }
      const { lines: text, summary } = resultSchema.parse(result);
      all = sum(all, summary);
      yield text;
    }
  }
  checkJsonLinesName(output);
  await writeLines(output, lines());
  return all;
}

function sum(left: ScoreSummary, right: ScoreSummary): ScoreSummary {
  return {
    ...left,
    items: left.items + right.items,
    scored: left.scored + right.scored,
    unscored: left.unscored + right.unscored,
    unreadableLines: [...left.unreadableLines, ...right.unreadableLines],
  };
}
