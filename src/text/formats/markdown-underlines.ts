import { isShortTitle, isTitleCase } from "../chapters/title-case.ts";

const UNDERLINE = /^(?:-+|=+)[ \t]*$/;
/** A line longer than this is prose. */
const LONGEST_HEADING = 160;

/**
 * In Markdown a line of dashes right under a text makes a heading of it. Writers who forget the blank line mean a scene break:
 * under a paragraph it becomes one.
 */
export function withoutUnderlinedProse(source: string): string {
  const lines: string[] = [];
  let above: string[] = [];
  for (const line of source.split("\n")) {
    const isUnderline = above.length > 0 && UNDERLINE.test(line);
    if (isUnderline && isProse(above)) lines.push("", "***", "");
    else lines.push(line);
    if (isUnderline || line.trim() === "" || line.startsWith("#")) above = [];
    else above.push(line);
  }
  return lines.join("\n");
}

/** Several lines, many words or a whole sentence. */
function isProse(lines: readonly string[]): boolean {
  if (lines.length > 1 || lines[0]!.length > LONGEST_HEADING) return !isShortTitle(lines);
  return /[.…。]["”’']*$/u.test(lines[0]!.trimEnd()) && !isTitleCase(lines[0]!);
}
