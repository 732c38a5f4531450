import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Words that no one would say today, and what to write instead. */
const ODD: Readonly<Record<string, string>> = {
  anew: "again",
  mended: "fixed, corrected, repaired",
  "is said to": "say who says it, or state it",
  "are said to": "say who says it, or state it",
  "is told to end": "is stopped",
  telephone: "phone",
  lately: "recently, or a date",
  thereof: "of it",
  whilst: "while",
  "go on with them": "resume them",
};

/** Everything that a person reads: documents, help, messages, comments. Stories, data and prompts are texts of another kind. */
const READ = /\.(?:md|ts|tsx|mjs|ya?ml|json|cff)$/;
const OTHER_TEXTS =
  /^(?:assets\/(?:examples|wordnet|models\/.*\.json|reference|training|chinese|prompts|schemas)|test\/fixtures|evals\/(?:data|replies)|package-lock\.json|test\/words\.test\.ts|docs\/api)/;

/** What git ignores, and git itself: a bare machine has none to ask. */
const NOT_OURS = /^(?:\.git|\.fabula|node_modules|dist|coverage|out|test-output)$/;

const files = filesBelow(".").filter((file) => READ.test(file) && !OTHER_TEXTS.test(file));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

it("is written in plain English", () => {
  expect(files.length).toBeGreaterThan(1000);
  const pattern = new RegExp(`\\b(?:${Object.keys(ODD).join("|")})\\b`, "gi");
  const found = files.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, at) =>
      [...line.matchAll(pattern)].map(([word]) => `${file}:${at + 1}: “${word}”: write ${ODD[word.toLowerCase()]}`),
    );
  });
  expect(found).toEqual([]);
});
