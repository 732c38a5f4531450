import { readFile } from "node:fs/promises";
import { FabulaError } from "../../../core/errors.ts";

/** A writer of a leaderboard. */
export interface ListedWriter {
  readonly model: string;
  /** The last year the model's training data may hold, for the split by date of publication. */
  readonly cutOff: number | null;
  /** Its display name. */
  readonly name?: string;
  readonly maker?: string;
  /** When it was released. */
  readonly date?: string;
}

const LINE = /^(\S+)((?:\s+(?:cutoff|name|maker|released)=(?:"[^"]*"|\S+))*)$/;
const CUT_OFF = /^\d{4}(?:-\d\d)?$/;

/**
 * One model per line, followed by optional facts: `cutoff=2024`, `name="Display name"`, `maker="Who made it"`,
 * `released=2025-03`. `#` begins a comment.
 */
export async function readWriterList(path: string): Promise<ListedWriter[]> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw new FabulaError("E_FILE_READ", `"${path}" cannot be read: --writers takes a file with one model per line.`, {
      cause,
    });
  });
  const writers = new Map<string, ListedWriter>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/(?:^|\s)#.*$/, "").trim();
    if (line === "") continue;
    const [, model, rest = ""] = LINE.exec(line) ?? [];
    const said = Object.fromEntries(
      [...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, key, quoted, bare]) => [key, quoted ?? bare]),
    );
    const { cutoff, name, maker, released } = said;
    if (model === undefined || (cutoff !== undefined && !CUT_OFF.test(cutoff))) {
      throw new FabulaError(
        "E_WRITERS",
        `Line ${index + 1} of "${path}" is not understood: write a model's name, followed by cutoff=2024, name="…", maker="…" or released=2025-03 where they are known.`,
      );
    }
    writers.set(model, {
      model,
      cutOff: cutoff === undefined ? null : Number(cutoff.slice(0, 4)),
      ...(name && { name }),
      ...(maker && { maker }),
      ...(released && { date: released }),
    });
  }
  if (writers.size === 0)
    throw new FabulaError("E_WRITERS", `"${path}" names no writer: give it one model per line, such as openai:gpt-4o.`);
  return [...writers.values()];
}
