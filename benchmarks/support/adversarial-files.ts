import { BYTES } from "./adversarial/bytes.ts";
import { DOCX } from "./adversarial/docx.ts";
import { EPUBS } from "./adversarial/epubs.ts";
import { HTML } from "./adversarial/html.ts";
import type { Kinds } from "./adversarial/made-text.ts";
import { MARKDOWN } from "./adversarial/markdown.ts";
import { TEXTS } from "./adversarial/texts.ts";

export interface AdversarialFile {
  /** What it is made of, with the ending of its format. */
  readonly name: string;
  make(): Uint8Array;
}

/** Every kind, in every format that it can stand in. */
export function adversarialFiles(): AdversarialFile[] {
  const named = (kinds: Kinds, ending: string) =>
    Object.entries(kinds).map(([name, make]) => ({ name: `${name}.${ending}`, make }));
  return [
    ...["txt", "md", "html"].flatMap((ending) => named(TEXTS, ending)),
    ...["txt", "html"].flatMap((ending) => named(BYTES, ending)),
    ...named(MARKDOWN, "md"),
    ...named(HTML, "html"),
    ...named(EPUBS, "epub"),
    ...named(DOCX, "docx"),
  ];
}
