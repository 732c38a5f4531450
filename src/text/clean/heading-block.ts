import type { Block } from "../manuscript.ts";

/** Old books put the argument of a chapter into its heading; what is longer than this is prose that a file marks wrongly. */
const LONGEST_HEADING = 2000;

/** A heading as the file marks it, unless it is longer than any. */
export function headingBlock(lines: readonly string[], level: number): Block {
  let length = 0;
  for (const line of lines) length += line.length;
  return length > LONGEST_HEADING ? { kind: "paragraph", text: lines.join("\n") } : { kind: "heading", lines, level };
}
