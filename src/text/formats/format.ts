import type { Manuscript, Metadata } from "../manuscript.ts";

export interface FormatInput {
  readonly bytes: Uint8Array;
  /** The file's name, for messages and for a title when the file has none. */
  readonly name: string;
}

/** How one kind of file becomes blocks of text. A new format is one file that exports this, and one entry in `FORMATS` (`recognise-format.ts`). */
export interface Format {
  read(input: FormatInput): Promise<Manuscript>;
}

type Stated = { readonly [Name in keyof Metadata]?: Metadata[Name] | null | undefined };

/** What a file states about its book, without what it leaves empty, and with two letters for the language. */
export function statedMetadata({ title, author, language, genres, premise }: Stated): Metadata {
  return {
    ...(title && { title }),
    ...(author && { author }),
    ...(language && { language: language.slice(0, 2).toLowerCase() }),
    ...(genres && genres.length > 0 && { genres }),
    ...(premise && { premise }),
  };
}
