import { expect, it } from "vitest";
import { judgeInWords } from "./wording.ts";

it.each([
  ["openai:gpt-4.1", "openai:gpt-4.1"],
  ["openai:gpt-5#Careful reader", "Careful reader"],
  ["kind@http://127.0.0.1:8099/v1", "kind"],
  ["org/model@https://models.example.com/v1", "org/model at models.example.com"],
  ["llama:/models/qwen3-8b-q4.gguf", "qwen3-8b-q4"],
  ['command:"/usr/local/bin/llm" -m gpt', "llm -m gpt"],
  ["command:claude -p", "claude -p"],
  ["panel ann@http://127.0.0.1:1/v1+bob@http://127.0.0.1:1/v1", "panel ann+bob"],
  ["openai:gpt-5#A + kind@http://127.0.0.1:1/v1", "A + kind"],
  [
    "kind@http://127.0.0.1:1/v1 + kind@http://127.0.0.1:2/v1",
    "kind@http://127.0.0.1:1/v1 + kind@http://127.0.0.1:2/v1",
  ],
])("%s is shown as %s", (id, shown) => {
  expect(judgeInWords(id)).toBe(shown);
});
