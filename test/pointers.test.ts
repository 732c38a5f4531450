import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";

const files = globSync("**", { dot: true, ignore: ["**/node_modules/**", ".git/**", "dist/**", "test-output/**"] });
const read = files.filter((path) => /\.(?:tsx?|mjs|css|ya?ml|md)$/.test(path) && !path.endsWith("CHANGELOG.md"));

/** A source file in backticks, with the folders before it; what is made by a build or stands for many names is none. */
const POINTER = /`((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|mjs|css|yaml|sh))`/g;
const isOfMany = (path: string) => /\b(?:NAME|GROUP|LANGUAGE)\b/.test(path) || path.startsWith("dist/");
const isComment = (line: string) => /^\s*(?:\*|\/[/*]|#)/.test(line);

it("every source file that a comment or a document names is there", () => {
  const dangling = read.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => path.endsWith(".md") || isComment(line))
      .flatMap((line) => [...line.matchAll(POINTER)].map(([, named]) => named!))
      .filter((named) => !isOfMany(named) && !files.some((file) => file === named || file.endsWith(`/${named}`)))
      .map((named) => `${path}: ${named}`),
  );
  expect(read.length).toBeGreaterThan(500);
  expect(dangling).toEqual([]);
});
