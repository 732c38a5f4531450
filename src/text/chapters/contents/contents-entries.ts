import type { Block } from "../../manuscript.ts";
import { recogniseHeading } from "../recognise.ts";
import type { ContentsEntry } from "./contents-entry.ts";

/** The entries of a table of contents; a bare "CHAPTER IV" numbers the line under it. */
export function entriesOf(blocks: readonly Block[]): ContentsEntry[] {
  const entries: ContentsEntry[] = [];
  let label: number | null = null;
  for (const block of blocks) {
    const lines = block.kind === "heading" ? block.lines : block.kind === "paragraph" ? block.text.split("\n") : [];
    for (const line of lines) {
      if (/^\W*page\W*$/i.test(line)) continue;
      const recognition = recogniseHeading(line);
      // A list of illustrations promises pictures, not chapters.
      if (recognition?.kind === "paratext" && /illustrations|plates|maps/i.test(recognition.series)) return entries;
      const isNumbered = recognition?.kind === "chapter" || recognition?.kind === "numeral";
      const number = isNumbered ? recognition.number : recognition === null ? label : null;
      label = isNumbered && recognition.rest === "" ? recognition.number : null;
      entries.push({ title: line, number });
      if (isNumbered && recognition.rest !== "") entries.push({ title: recognition.rest, number });
    }
    if (lines.length > 1) entries.push({ title: lines.join(" "), number: null, isJoined: true });
  }
  return entries;
}
