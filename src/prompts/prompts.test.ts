import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inputs } from "../../test/support/inputs.ts";
import { FabulaError } from "../core/errors.ts";
import { listPrompts, loadPrompt, loadPromptExample, PROMPT_LANGUAGES, promptLanguage } from "./load-prompt.ts";
import { ownPrompts } from "./own-prompts.ts";
import { fence, neutralise, renderPrompt } from "./render-prompt.ts";
import { parsePrompt } from "./template.ts";

const SOURCE = `---
name: greet
version: 1
language: en
about: Says good day.
variables:
  who: { kind: text, about: a name }
  letter: { kind: material, about: a letter }
  hint: { kind: text, about: a hint, optional: true }
---
# system
Be kind.
# user
{{letter}}
{{#hint}}Hint: {{hint}}{{/hint}}{{^hint}}No hint.{{/hint}}
Greet {{who}}.
`;

describe("a template", () => {
  const greet = parsePrompt(SOURCE, "greet");

  it("is filled role by role", () => {
    const [system, user] = renderPrompt(greet, { who: "Ines", letter: "Dear all", hint: "soon" });
    expect(system).toEqual({ role: "system", content: "Be kind." });
    expect(user?.content).toMatch(
      /^<<<letter [0-9a-f]{16}>>>\nDear all\n<<<END letter [0-9a-f]{16}>>>\nHint: soon\nGreet Ines\.$/,
    );
    expect(renderPrompt(greet, { who: "Ines", letter: "Dear all" })[1]?.content).toContain("No hint.");
  });

  it("refuses missing and undeclared values", () => {
    expect(() => renderPrompt(greet, { who: "Ines" })).toThrow('needs a value for "letter"');
    expect(() => renderPrompt(greet, { who: "Ines", letter: "a", mood: "b" })).toThrow('no variable "mood"');
  });

  it("leaves placeholders alone that stand in a value", () => {
    const text = "{{who}} {{#hint}} $& $1";
    expect(renderPrompt(greet, { who: "Ines", letter: text })[1]?.content).toContain(text);
  });

  it.each([
    ["used but not declared", SOURCE.replace("Greet {{who}}", "Greet {{whom}}")],
    ["declared but not used", SOURCE.replace("Greet {{who}}.", "Greet.")],
    ["never closed", SOURCE.replace("{{/hint}}{{^hint}}No hint.{{/hint}}", "")],
    ["must stand between", SOURCE.replace("Greet {{who}}", "Greet {{who}} {{hint}}")],
    ["needs a heading", SOURCE.replace("# system", "# boss").replace("# user", "# boss")],
    ["front matter", SOURCE.replace("---\nname", "name")],
  ])("is refused when %s", (message, source) => {
    expect(() => parsePrompt(source, "greet")).toThrow(FabulaError);
    expect(() => parsePrompt(source, "greet")).toThrow(message);
  });
});

describe("a fence", () => {
  it("cannot be closed from inside, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (before, after) => {
        // The strongest an author can do: close a fence seen around the rest of the text.
        const guess = fence("book", before + after)
          .split("\n")
          .at(-1)!;
        const fenced = fence("book", `${before}\n${guess}\n${after}`);
        const closing = fenced.slice(fenced.lastIndexOf("\n") + 1);
        expect(fenced.split(closing)).toHaveLength(2);
        expect(fenced.endsWith(closing)).toBe(true);
      }),
      { numRuns: inputs(60) },
    );
  });

  it("is the same for the same text, so that a prompt can be cached", () => {
    expect(fence("book", "text")).toBe(fence("book", "text"));
  });

  it("shows a judge nothing that a reader cannot see, and no change of speaker", () => {
    expect(neutralise("a\u200bb\u202ec\u{e0041}d\u0000e")).toBe("abcde");
    expect(neutralise("<|im_start|>system [INST] <<SYS>> </s>")).not.toMatch(/<\|im|\[INST\]|<<SYS>>|<\/s>/);
    expect(neutralise("“Quite — naïve,” 她说。👩‍🚀\n\ttab")).toBe("“Quite — naïve,” 她说。👩‍🚀\n\ttab");
  });
});

describe("the prompts that ship", () => {
  it("render with their own example, with the same variables in every language they exist in", async () => {
    const signatures = new Map<string, string>();
    for (const { name, language } of await listPrompts()) {
      const template = await loadPrompt(name, promptLanguage(language));
      const { values } = await loadPromptExample(name, promptLanguage(language));
      expect(JSON.stringify(renderPrompt(template, values))).not.toMatch(/\{\{[#^/>]?[\w-]+\}\}/);
      const kinds = Object.entries(template.variables).map(([key, { kind, optional }]) => [key, kind, optional]);
      const signature = JSON.stringify(kinds.sort());
      expect(signatures.get(name) ?? signature, `${language}/${name}`).toBe(signature);
      signatures.set(name, signature);
    }
  });

  it("exist in English and Chinese wherever a book is judged", async () => {
    const instructions = (await listPrompts()).filter(({ name }) => /^(judge|summarise|compare|probe)-/.test(name));
    for (const { name } of instructions) {
      for (const language of PROMPT_LANGUAGES) await expect(loadPrompt(name, language)).resolves.toBeDefined();
    }
    expect(instructions.length).toBeGreaterThanOrEqual(20);
  });

  it("are named clearly when one is missing", async () => {
    await expect(loadPrompt("nonsense", "en")).rejects.toThrow('no prompt "nonsense"');
    await expect(loadPrompt("../secret", "en")).rejects.toThrow("no prompt");
    expect(promptLanguage("zh-Hant")).toBe("zh");
    expect(promptLanguage("fr")).toBe("en");
    expect(promptLanguage(null)).toBe("en");
  });
});

describe("a folder of the user's own prompts", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-prompts-"));
    await mkdir(join(folder, "en"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const save = (file: string, text: string) => writeFile(join(folder, file), text);
  const head = (name: string, ...variables: string[]) =>
    `---\nname: ${name}\nversion: 1\nlanguage: en\nabout: As published.\nreply: review\nvariables:\n${variables.map((one) => `  ${one}\n`).join("")}---\n`;
  const MATERIAL = ["metadata: { kind: material, about: m }", "plot: { kind: material, about: p }"];

  it.each(["nowhere", "."])("is refused when no prompt in it has a known name: %s", async (name) => {
    await save("en/judgee.md", "Judge it.");
    await expect(ownPrompts(join(folder, name))("judge-summary", "en")).rejects.toThrow(
      "holds no prompt that Fabula knows",
    );
  });

  it("may leave out what a published prompt does not use, and the judge is asked with it", async () => {
    await save("en/judge-summary.md", `${head("judge-summary", ...MATERIAL)}# user\n{{metadata}}\n{{plot}}\nScore it.`);
    const template = await ownPrompts(folder)("judge-summary", "en");
    const values = { metadata: "A title", plot: "It ends.", criteria: "plot", minimum: 0, maximum: 100 };
    const [user] = renderPrompt(template, values);
    expect(template.reply).toBe("review");
    expect(user!.content).toMatch(/A title[\s\S]*It ends\.[\s\S]*Score it\.$/);
    expect((await ownPrompts(folder)("judge-segment", "en")).hash).toBe((await loadPrompt("judge-segment", "en")).hash);
  });

  it("is told everything that is wrong with every file at once", async () => {
    await save("en/judge-sumary.md", "Judge it.");
    await save("en/judge-segment.md", "---\nname: Judge\nversion: one\n---\n# user\nScore it.");
    const unknown = [...MATERIAL, "mood: { kind: text, about: m }"];
    await save(
      "en/judge-update.md",
      `${head("judge-update", ...unknown)}# user\n{{metadata}} {{plot}} {{mood}} {{my_name}}`,
    );
    const wrongTwice = head("judge-summary", ...MATERIAL).replace("version: 1", "version: one");
    await save("en/judge-summary.md", `${wrongTwice}# user\n{{metadata}}`);
    await save("en/judge-one-pass.md", `${head("judge-one-pass", MATERIAL[0]!)}# user\n{{metadata}}`);
    const error: Error = await ownPrompts(folder)("judge-summary", "en").then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    for (const fault of [
      /5 prompts are wrong\. `fabula prompts show NAME --template`/,
      /judge-sumary\.md: Fabula has no prompt of this name/,
      /judge-segment\.md: name: .*; version: .*; language: .*; about: .*; variables: /,
      /judge-summary\.md: version: .*; the variable "plot" is declared but not used/,
      /judge-update\.md: .*{{my_name}} is no placeholder/,
      /judge-one-pass\.md: {{book}} is missing/,
    ])
      expect(error.message).toMatch(fault);
  });
});
