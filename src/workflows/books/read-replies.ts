import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import { FabulaError } from "../../core/errors.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { readVerdicts } from "../../judge/reading/read-verdicts.ts";
import { splitReplies } from "../../judge/reading/split-replies.ts";

export interface ImportedReply {
  readonly file: string;
  /** The name the file gives the reply, when it holds several. */
  readonly id?: string;
  readonly aspects: Readonly<Record<string, Verdict>>;
  readonly overall: Verdict;
  readonly critiques: Readonly<Record<string, string>>;
  readonly assessment: string | null;
}

/** Reads verdicts from saved replies of any model, with scores as written. `-` is standard input. */
export async function readReplies(files: readonly string[], rubric: Rubric): Promise<ImportedReply[]> {
  const imported: ImportedReply[] = [];
  for (const file of files) {
    for (const { id, text } of splitReplies(await readWhole(file))) {
      imported.push({ file, ...(id === null ? {} : { id }), ...readVerdicts(text, rubric) });
    }
  }
  return imported;
}

async function readWhole(file: string): Promise<string> {
  if (file === "-") return readStream(process.stdin);
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new FabulaError("E_FILE_MISSING", `"${file}" cannot be read: check the path.`, { cause });
  }
}
