import { type Answer, asJson } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { Book } from "../../text/book.ts";
import { askPrompt } from "../ask.ts";
import { collectNames } from "./collect-names.ts";
import { completeNameMap, nameMapSchema, type Replacement } from "./name-map.ts";

const PASSAGE_CHARACTERS = 2400;
const REPLY_TOKENS = 4096;

/**
 * New names for a book in two steps (PerSE, appendix A.1): a model makes the map, code replaces. A model asked to rewrite
 * the text would invent a new plot on the way.
 */
export async function makeNameMap(
  model: ChatModel,
  book: Pick<Book, "chapters">,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Answer<Replacement[]>> {
  const names = collectNames(book.chapters);
  const passage = passageWith(book, names[0]?.name ?? null);
  const answer = await askPrompt(
    model,
    {
      prompt: "probe-names",
      language,
      values: { names: names.map(({ name, count }) => `${name}: ${count}`).join("\n") || "–", passage },
      purpose: "probe",
      ...asJson("names", nameMapSchema),
      maximumTokens: REPLY_TOKENS,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  return answer.kind === "answered" ? { ...answer, value: completeNameMap(answer.value) } : answer;
}

/** A stretch of text around the name that occurs most. */
function passageWith({ chapters }: Pick<Book, "chapters">, name: string | null): string {
  const text =
    chapters.find((chapter) => name !== null && chapter.text.includes(name))?.text ?? chapters[0]?.text ?? "–";
  const at = Math.max(0, (name === null ? 0 : text.indexOf(name)) - 400);
  return text.slice(at, at + PASSAGE_CHARACTERS) || "–";
}
