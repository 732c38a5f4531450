import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import type { PromptSection, PromptTemplate } from "./template.ts";

const QUESTION = "NovelCritique/data/question_format.txt";
const ANSWER = "NovelCritique/data/answer_format.txt";
const INFERENCE = "NovelCritique/predict/infer.py";

/** Placeholders of the release → our variables. */
const VARIABLES: Readonly<Record<string, string>> = {
  Title: "title",
  Genre: "genres",
  Premise: "premise",
  Plot_Summary: "plot",
  Character_Summary: "characters",
  Excerpt: "excerpt",
  Aspects: "aspects",
  Review: "review",
  Conclusion: "conclusion",
  Score: "score",
};

/**
 * The form that NovelCritique was trained on, out of a checkout of its authors' release: a fine-tuned model answers best to
 * the very words it was trained on, and those are theirs, so they are read where they stand and are not kept here. Empty for
 * any other folder.
 */
export async function publishedForm(folder: string): Promise<ReadonlyMap<string, PromptTemplate>> {
  const question = await textOf(folder, QUESTION);
  if (question === null) return new Map();
  const [answer, inference] = await Promise.all([required(folder, ANSWER), required(folder, INFERENCE)]);
  const system = pythonText(/"role":\s*"system",\s*"content":\s*"((?:[^"\\]|\\.)*)"/.exec(inference)?.[1]);
  const aspect =
    /"((?:[^"\\]|\\.)*\{\}(?:[^"\\]|\\.)*)"\.format\(\w+\)\s*\+\s*"((?:[^"\\]|\\.)*)"\s*\+\s*\w+\s*\+\s*"((?:[^"\\]|\\.)*)"/.exec(
      inference,
    );
  if (system === null || !aspect) {
    throw new FabulaError(
      "E_PROMPT_MISSING",
      `"${join(folder, INFERENCE)}" does not show how the model is asked: use the authors' release as it is.`,
    );
  }
  const [heading, before, after] = aspect.slice(1).map((part) => pythonText(part)!);
  const sections: PromptSection[] = [
    { role: "system", body: system },
    { role: "user", body: withOurPlaceholders(question) },
  ];
  const parts = {
    aspect: `${heading!.replace("{}", "{{aspect}}")}${before}{{aspect}}${after}`,
    answer: withOurPlaceholders(answer),
  };
  return new Map([["en/novel-critique", template("novel-critique", sections, parts)]]);
}

function template(
  name: string,
  sections: readonly PromptSection[],
  parts: Readonly<Record<string, string>>,
): PromptTemplate {
  const names = [
    ...new Set(sections.flatMap(({ body }) => [...body.matchAll(/\{\{(\w+)\}\}/g)].map((use) => use[1]!))),
  ];
  // What a book lacks is left empty: the form has a place for everything.
  const variables = Object.fromEntries(
    names.map((variable) => [variable, { kind: "text" as const, about: variable, optional: true }]),
  );
  const hash = sha256(JSON.stringify({ sections, parts }));
  const about = "as its authors published it";
  return { name, version: 1, language: "en", about, variables, reply: "json", parts: { ...parts }, sections, hash };
}

const withOurPlaceholders = (text: string) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (VARIABLES[name] ? `{{${VARIABLES[name]}}}` : whole)).trim();

function pythonText(source: string | undefined): string | null {
  return source?.replace(/\\(.)/g, (_whole, letter: string) => (letter === "n" ? "\n" : letter)) ?? null;
}

async function textOf(folder: string, file: string): Promise<string | null> {
  const text = await readFile(join(folder, file), "utf8").catch(() => null);
  return text?.replaceAll("\r\n", "\n") ?? null;
}

async function required(folder: string, file: string): Promise<string> {
  const text = await textOf(folder, file);
  if (text !== null) return text;
  throw new FabulaError("E_PROMPT_MISSING", `"${join(folder, file)}" is missing: use the authors' release as it is.`);
}
