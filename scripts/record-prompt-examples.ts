/**
 * Records the example of every prompt again: the tool does each of its tasks on the bundled stories, against the simulated
 * server, and what was asked and answered is written beside the prompt.
 *
 *   npm run record:prompts
 *
 * To be run whenever the words of a prompt change.
 */
import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { assetPath } from "../src/core/assets.ts";
import { listPrompts, PROMPT_LANGUAGES, type PromptExample } from "../src/prompts/load-prompt.ts";
import { exampleMaterial } from "./prompt-examples/example-books.ts";
import { MODEL, playSessions } from "./prompt-examples/sessions.ts";
import { simulatedReplies } from "./prompt-examples/simulated-replies.ts";

const HEADER =
  "# Recorded by `npm run record:prompts` from the simulated server, which reads nothing and judges nothing.\n";

const prompts = await listPrompts();
for (const language of PROMPT_LANGUAGES) {
  const templates = prompts.filter((template) => template.language === language);
  const { files } = await exampleMaterial(language);
  const examples = new Map<string, PromptExample>();
  await playSessions(
    language,
    simulatedReplies(templates, ({ template, values }, { messages }, reply) => {
      const example = {
        recorded: { server: "simulated", model: MODEL, material: files.join(", ") },
        values: { ...values },
        request: messages.map(({ role, content }) => ({ role, content })),
        reply,
      };
      // What goes on with an answer already begun shows no more of the prompt.
      if (messages.at(-1)!.role === "assistant") return;
      const known = examples.get(template.name);
      if (!known || tellsMore(example, known)) examples.set(template.name, example);
    }),
  );
  const silent = templates.filter(({ name }) => !examples.has(name)).map(({ name }) => name);
  if (silent.length > 0) throw new Error(`Nothing sent ${silent.join(", ")} (${language}): add a session that does.`);
  for (const [name, example] of examples) {
    const path = assetPath("prompts", language, `${name}.example.yaml`);
    await writeFile(path, HEADER + stringify(example, { lineWidth: 0 }));
  }
  console.log(`${language}: ${examples.size} examples recorded`);
}

/** Of several exchanges the longest is kept, as it fills most of the prompt; the order they came in must not matter. */
function tellsMore(one: PromptExample, other: PromptExample): boolean {
  const [left, right] = [one, other].map(({ request }) => JSON.stringify(request));
  return left!.length > right!.length || (left!.length === right!.length && left! < right!);
}
