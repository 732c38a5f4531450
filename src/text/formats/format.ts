import type { Manuscript } from "../manuscript.ts";

export interface FormatInput {
  readonly bytes: Uint8Array;
  /** The file's name, for messages and for a title when the file has none. */
  readonly name: string;
}

/** How one kind of file becomes blocks of text. A new format is one file that exports this, and one entry in `FORMATS` (`recognise-format.ts`). */
export interface Format {
  read(input: FormatInput): Promise<Manuscript>;
}
