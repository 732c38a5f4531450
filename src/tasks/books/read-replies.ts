import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import { FabulaError } from "../../core/errors.ts";
import type { Scale } from "../../core/verdict.ts";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import type { ReadVerdict } from "../../judge/replies/on-scale.ts";
import { readVerdicts } from "../../judge/replies/read-verdicts.ts";
import { splitReplies } from "../../judge/replies/reply-lines.ts";
import type { TextInput } from "../define/shared-fields.ts";

export interface ImportedReply {
  readonly file: string;
  /** The id of the reply, when the file holds several. */
  readonly id?: string;
  readonly aspects: Readonly<Record<string, ReadVerdict>>;
  readonly overall: ReadVerdict;
  readonly critiques: Readonly<Record<string, string>>;
  readonly assessment: string | null;
}

export interface RepliesAsked {
  /** The scale the model was asked to use; the rubric's by default. */
  readonly scale?: Scale;
  /** The one aspect that was asked about, by id or by name. */
  readonly aspect?: string;
}

/** Reads verdicts from saved replies of any model. `-` is standard input. */
export async function readReplies(
  files: readonly TextInput[],
  rubric: Rubric,
  { scale = rubric.scale, aspect }: RepliesAsked = {},
): Promise<ImportedReply[]> {
  const one = aspect === undefined ? {} : { aspect: aspectNamed(aspect, rubric) };
  const imported: ImportedReply[] = [];
  for (const file of files) {
    for (const { id, text } of splitReplies(await readWhole(file))) {
      imported.push({
        file: typeof file === "string" ? file : (file.name ?? "text"),
        ...(id === null ? {} : { id }),
        ...readVerdicts(text, rubric, scale, one),
      });
    }
  }
  return imported;
}

function aspectNamed(aspect: string, rubric: Rubric): string {
  const meant = rubric.criteria.find(
    ({ id, name }) => id === aspect || name.toLowerCase() === aspect.trim().toLowerCase(),
  );
  if (meant) return meant.id;
  const ids = topLevel(rubric).map(({ id }) => id);
  throw new FabulaError("E_ASPECT_UNKNOWN", `The rubric has no aspect "${aspect}": it has ${ids.join(", ")}.`);
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
