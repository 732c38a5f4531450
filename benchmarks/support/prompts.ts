import { randomInteger, seededRandom } from "../../src/core/random.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";

const WORDS =
  "the of and a to in he was that it his her with as had she for on at but him they were all this from not said be by one which there so out up into when then would no if their what could been them over down like back only more before through".split(
    " ",
  );

/** A made-up prompt of so many words, different for every position. */
export function promptText(position: number, words = 4000): string {
  const random = seededRandom(position + 1);
  return Array.from({ length: words }, () => WORDS[randomInteger(random, WORDS.length)]).join(" ");
}

export function promptRequest(position: number, words = 4000): ChatRequest {
  return {
    purpose: "judge",
    sample: 0,
    maximumTokens: 300,
    messages: [
      { role: "system", content: "You are a critic." },
      { role: "user", content: promptText(position, words) },
    ],
  };
}

export function* positions(count: number): Generator<number> {
  for (let position = 0; position < count; position++) yield position;
}
