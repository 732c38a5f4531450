import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { loadPrompt, promptLanguage } from "./load-prompt.ts";
import { type PromptTemplate, parsePrompt } from "./template.ts";

/** Gives the prompt of a name in a language: one that ships, or the user's own. */
export type PromptSource = (name: string, language: string | null) => Promise<PromptTemplate>;

export const shippedPrompts: PromptSource = (name, language) => loadPrompt(name, promptLanguage(language));

/**
 * Prompts out of a folder of the user's, `<language>/<name>.md`: another language is one more file. What the folder lacks is
 * taken from those that ship. A prompt must use the variables of the English one, or it could not be filled.
 */
export function ownPrompts(folder: string): PromptSource {
  let checked: Promise<void> | null = null;
  return async (name, language) => {
    checked ??= checkFolder(folder);
    await checked;
    const code = (language ?? "en").toLowerCase().split(/[-_]/)[0]!;
    const path = join(folder, code, `${name}.md`);
    const source = /^[a-z]{2,3}$/.test(code) ? await readFile(path, "utf8").catch(ifMissing) : null;
    if (source === null) return shippedPrompts(name, language);
    const template = parsePrompt(source, path);
    const model = await loadPrompt(name, "en");
    const differing = [...Object.keys(model.variables), ...Object.keys(template.variables)].find(
      (variable) => model.variables[variable]?.kind !== template.variables[variable]?.kind,
    );
    if (differing !== undefined || template.name !== name) {
      throw new FabulaError(
        "E_PROMPT_INVALID",
        `The prompt ${path} must be called "${name}" and declare what the English one declares${differing ? `; look at "${differing}"` : ""}: see \`fabula prompts show ${name}\`.`,
      );
    }
    return template;
  };
}

/** A mistyped folder would otherwise be paid for with the prompts that ship. */
async function checkFolder(folder: string): Promise<void> {
  const known = new Set(await readdir(assetPath("prompts", "en")));
  const files = (await readdir(folder, { recursive: true }).catch(ifMissing)) ?? [];
  if (files.some((file) => /^[a-z]{2,3}$/.test(dirname(file)) && known.has(basename(file)))) return;
  throw new FabulaError(
    "E_PROMPT_MISSING",
    `"${folder}" holds no prompt that Fabula knows: put files such as en/judge-summary.md into it; \`fabula prompts list\` gives the names.`,
  );
}

function ifMissing(cause: unknown): null {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
  throw new FabulaError("E_PROMPT_MISSING", "A prompt of the folder cannot be read: check its permissions.", { cause });
}
