import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { loadPrompt, promptLanguage } from "./load-prompt.ts";
import { type PromptSection, type PromptTemplate, readPrompt, wrongPrompt } from "./template.ts";

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
  // Fields that a book lacks stay empty: the published form has a place for each.
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

/** Gives the prompt of a name in a language: one that ships, or the user's own. */
export type PromptSource = (name: string, language: string | null) => Promise<PromptTemplate>;

export const shippedPrompts: PromptSource = (name, language) => loadPrompt(name, promptLanguage(language));

/**
 * Prompts out of a folder of the user's, `<language>/<name>.md`: another language is one more file. What the folder lacks is
 * taken from those that ship. A checkout of NovelCritique's release is taken as it is, for the form it was trained on. All files are checked before the first is used, and everything wrong with them is named at once.
 */
export function ownPrompts(folder: string): PromptSource {
  let reading: Promise<ReadonlyMap<string, PromptTemplate>> | null = null;
  return async (name, language) => {
    reading ??= readFolder(folder);
    const code = (language ?? "en").toLowerCase().split(/[-_]/)[0]!;
    return (await reading).get(`${code}/${name}`) ?? shippedPrompts(name, language);
  };
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, PromptTemplate>> {
  const published = await publishedForm(folder);
  if (published.size > 0) return published;
  const known = new Set(await readdir(assetPath("prompts", "en")));
  const files = ((await readdir(folder, { recursive: true }).catch(ifMissing)) ?? [])
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^[a-z]{2,3}\/[^/]+\.md$/.test(file))
    .sort();
  // A mistyped folder would otherwise be paid for with the prompts that ship.
  if (!files.some((file) => known.has(basename(file)))) {
    throw new FabulaError(
      "E_PROMPT_MISSING",
      `"${folder}" holds no prompt that Fabula knows: put files such as en/judge-summary.md into it; \`fabula prompts list\` gives the names.`,
    );
  }
  const prompts = new Map<string, PromptTemplate>();
  const wrong: string[] = [];
  for (const file of files) {
    const { template, faults } = known.has(basename(file))
      ? await readOwn(join(folder, file), file)
      : { template: null, faults: ["Fabula has no prompt of this name (`fabula prompts list`)"] };
    if (template) prompts.set(file.replace(/\.md$/, ""), template);
    else wrong.push(`${join(folder, file)}: ${faults.join("; ")}`);
  }
  if (wrong.length === 0) return prompts;
  const many = wrong.length === 1 ? "A prompt is" : `${wrong.length} prompts are`;
  throw wrongPrompt(
    `${many} wrong. \`fabula prompts show NAME --template\` prints a file to start from.\n${wrong.map((one) => `  ${one}.`).join("\n")}`,
  );
}

/** A user's prompt may leave out Fabula's instructions, but not the material to judge. */
async function readOwn(path: string, file: string): Promise<ReturnType<typeof readPrompt>> {
  const { template, faults } = readPrompt((await readFile(path, "utf8").catch(ifMissing)) ?? "");
  if (template === null) return { template, faults };
  const [code, name] = [dirname(file), basename(file, ".md")];
  const model = await loadPrompt(name, "en");
  if (template.name !== name) faults.push(`name: must be ${name}, as the file is called`);
  if (template.language !== code) faults.push(`language: must be ${code}, as the folder is called`);
  for (const [variable, { kind }] of Object.entries(template.variables)) {
    const asked = model.variables[variable];
    if (!asked) faults.push(`the variable "${variable}" does not exist: ${Object.keys(model.variables).join(", ")} do`);
    else if (asked.kind !== kind) faults.push(`the variable "${variable}" must be of the kind ${asked.kind}`);
  }
  for (const [variable, { kind, optional }] of Object.entries(model.variables)) {
    if (kind === "material" && !optional && !template.variables[variable])
      faults.push(`{{${variable}}} is missing: without it the model is not shown what it is asked about`);
  }
  // Values for variables that it leaves out are given all the same, and go nowhere.
  return faults.length > 0
    ? { template: null, faults }
    : { template: { ...template, variables: model.variables }, faults };
}

function ifMissing(cause: unknown): null {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
  throw new FabulaError("E_PROMPT_MISSING", "A prompt of the folder cannot be read: check its permissions.", { cause });
}
