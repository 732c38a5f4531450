import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = "docs/decisions";
const notes = readdirSync(FOLDER).filter((name) => name !== "README.md");

it("the index of decisions lists every note once, and no other", () => {
  const listed = [...readFileSync(`${FOLDER}/README.md`, "utf8").matchAll(/\]\(([^)]+)\)/g)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(notes.toSorted());
});

it("notes are few enough to be read: one for each topic", () => {
  expect(notes.length).toBeLessThanOrEqual(30);
  const numbers = notes.map((name) => name.slice(0, 3));
  expect(new Set(numbers).size).toBe(notes.length);
});
