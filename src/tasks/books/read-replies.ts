import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import { FabulaError } from "../../core/errors.ts";
import type { Scale } from "../../core/scale.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ReadVerdict } from "../../judge/reading/on-scale.ts";
import { readVerdicts } from "../../judge/reading/read-verdicts.ts";
import { splitReplies } from "../../judge/reading/split-replies.ts";
import type { TextInput } from "../define/book-input.ts";

export interface ImportedReply {
  readonly file: string;
  /** The name the file gives the reply, when it holds several. */
  readonly id?: string;
  readonly aspects: Readonly<Record<string, ReadVerdict>>;
  readonly overall: ReadVerdict;
  readonly critiques: Readonly<Record<string, string>>;
  readonly assessment: string | null;
}

/** Reads verdicts from saved replies of any model, on the scale that was `asked` for. `-` is standard input. */
export async function readReplies(
  files: readonly TextInput[],
  rubric: Rubric,
  asked: Scale = rubric.scale,
): Promise<ImportedReply[]> {
  const imported: ImportedReply[] = [];
  for (const file of files) {
    for (const { id, text } of splitReplies(await readWhole(file))) {
      imported.push({
        file: typeof file === "string" ? file : (file.name ?? "text"),
        ...(id === null ? {} : { id }),
        ...readVerdicts(text, rubric, asked),
      });
    }
  }
  return imported;
}

async function readWhole(file: TextInput): Promise<string> {
  if (typeof file !== "string") return file.text;
  if (file === "-") return readStream(process.stdin);
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new FabulaError("E_FILE_MISSING", `"${file}" cannot be read: check the path.`, { cause });
  }
}
