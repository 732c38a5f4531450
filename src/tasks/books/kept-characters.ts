import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { type CharacterCorrections, characterCorrectionsSchema } from "../../text/corrections/character-corrections.ts";
import type { ReadOptions } from "../../text/read-book.ts";

/** A writer's corrections to the characters, in the folder of a book of the library. */
export const CHARACTERS_FILE = "characters.json";

const ID_LENGTH = 20;

/** The web app once stored an empty name where two characters were joined: such a file is read without it. */
const keptSchema = characterCorrectionsSchema.extend({
  merge: z
    .array(z.array(z.string()))
    .default([])
    .transform((groups) => groups.filter((names) => !names.includes(""))),
});

/** The library names the folder of a book by the hash of its file: the same file is the same book wherever it lies. */
export function libraryId(sha256: string): string {
  return sha256.slice(0, ID_LENGTH);
}

/** Looks up what was corrected in the web app, for a book that is read from a file of the user's. */
export function keptCharactersIn(library: string): NonNullable<ReadOptions["keptCharacters"]> {
  return (sha256) => readCharacters(join(library, "books", libraryId(sha256)));
}

/** Null when nothing was corrected. */
export async function readCharacters(folder: string): Promise<CharacterCorrections | null> {
  const path = join(folder, CHARACTERS_FILE);
  const source = await readFile(path, "utf8").catch(() => null);
  if (source === null) return null;
  try {
    return keptSchema.parse(JSON.parse(source));
  } catch (cause) {
    throw new FabulaError(
      "E_LIBRARY_DAMAGED",
      `"${path}" of the library cannot be read: delete it and correct the characters again.`,
      { cause },
    );
  }
}
