import { plainLine } from "../markup.ts";

/** A paragraph in lines of a width, each with an indent, and without control characters: it may come from a book. Text without spaces, such as Chinese, is left to the terminal. */
export function wrapped(text: string, width: number, indent: number): string[] {
  const room = Math.max(30, Math.min(width, 110) - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of plainLine(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map((each) => " ".repeat(indent) + each);
}
