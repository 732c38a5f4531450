import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chinese } from "./chinese.ts";
import { english } from "./english.ts";

/** Every text as it would be shown, functions called with example values. */
function shown(texts: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(texts).map(([key, text]) => [key, typeof text === "function" ? text(7, 9, 11) : String(text)]);
}

describe("the words of the page", () => {
  it("are there in both languages", () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  it.each([
    ["english", english],
    ["chinese", chinese],
  ])("have one name each, whichever view says them: %s", async (language, texts) => {
    const views = readdirSync(join(import.meta.dirname, language));
    const parts = await Promise.all(views.map((view) => import(join(import.meta.dirname, language, view))));
    const names = parts.flatMap((part) => Object.values<object>(part).flatMap((said) => Object.keys(said)));
    expect(names.sort()).toEqual(Object.keys(texts).sort());
  });

  it.each([
    ["English", english],
    ["Chinese", chinese],
  ])("are never empty in %s, and say what they were given", (_name, texts) => {
    for (const [key, text] of shown(texts)) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  it("say that what others give is not known where it is only forecast", () => {
    expect(english.tasteEvidence(5, "3.9")).toBe("5 where others give 3.9");
    expect(english.tasteEvidence(5, null)).toBe("5; what others give is not known");
    expect(chinese.tasteEvidence(5, null)).not.toContain("null");
  });

  it("take the same values in both languages", () => {
    for (const [key, text] of Object.entries(english)) {
      const other = chinese[key as keyof typeof chinese];
      expect(typeof other, key).toBe(typeof text);
      if (typeof text === "function" && typeof other === "function") expect(other.length, key).toBe(text.length);
    }
  });

  it("are translated: what reads alike in both has no words to translate", () => {
    const alike = shown(english).filter(([key, text]) => shown(chinese).some(([k, t]) => k === key && t === text));
    expect(alike.map(([key]) => key)).toEqual([]);
  });

  it("are all shown somewhere", () => {
    const folder = join(import.meta.dirname, "..");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const source = files
      .filter((file) => /\.tsx$/.test(file) || (/\.ts$/.test(file) && !file.startsWith("texts")))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    // The names of the views are looked up by the list of places in the header.
    const shownByName = (key: string) => source.includes(`"${key}"`);
    expect(Object.keys(english).filter((key) => !source.includes(`texts.${key}`) && !shownByName(key))).toEqual([]);
  });
});
