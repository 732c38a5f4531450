import type { BadLine } from "../../core/json-lines.ts";
import { countOf } from "../../core/wording.ts";

const MOST_NAMED = 5;

/** Which lines of a file are left out, and why. */
export function badLinesInWords(lines: readonly BadLine[], file: string): string {
  const named = lines.slice(0, MOST_NAMED).map(({ line, reason }) => `line ${line} ${reason}`);
  const rest = lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} more`] : [];
  const parts = [...named, ...rest].join("; ");
  return `${countOf(lines.length, "line")} of "${file}" left out: ${parts}.`;
}
