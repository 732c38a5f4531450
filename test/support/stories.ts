import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The story that ships with Fabula. */
export const STORY = join(process.cwd(), "assets", "examples", "the-inspector-of-weights.md");

/** Some of its chapters under another title, as a second book or draft. */
export function draftOf(title: string, chapters: number): string {
  const [, ...parts] = readFileSync(STORY, "utf8").split(/^(?=## )/m);
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${parts.slice(0, chapters).join("")}`;
}
