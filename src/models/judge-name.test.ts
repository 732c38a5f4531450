import { expect, it } from "vitest";
import { parseJudgeName } from "./judge-name.ts";
import { redact } from "./model-error.ts";

it.each([
  ["openai:gpt-4o", { provider: "openai", model: "gpt-4o" }],
  ["ollama:qwen3:8b", { provider: "ollama", model: "qwen3:8b" }],
  ["mistral:mistral-large-2512", { provider: "mistral", model: "mistral-large-2512" }],
  ["openai:gpt-5#Careful reader", { provider: "openai", model: "gpt-5" }],
  ["command:llm -m a@http://b", { provider: "command", command: "llm -m a@http://b" }],
  ["paste", { provider: "paste", who: null }],
  ["llama:/models/a.gguf", { provider: "llama", path: "/models/a.gguf" }],
  ["org/m@http://host:8000/v1/", { provider: "compatible", model: "org/m", baseUrl: "http://host:8000/v1" }],
])("reads %s", (name, parts) => {
  expect(parseJudgeName(name)).toEqual(parts);
});

it.each(["gpt-4o", "openai:", "mistal:large", "command:", "", "m@ftp://host"])(
  'says what may be written instead of "%s"',
  (name) => {
    expect(() => parseJudgeName(name)).toThrow(/is not a judge: write crowd, editor, grader, openai:MODEL/);
  },
);

it("takes no secret in an address, since names are stored and shown", () => {
  expect(() => parseJudgeName("m@http://user:pass@host/v1")).toThrow(/FABULA_API_KEY/);
});

it("blots out keys, known ones and whatever looks like one", () => {
  const text =
    'Incorrect key sk-proj-abcdefgh12345678; header "x-api-key: topsecret99"; Bearer abc.def.ghijkl; my-own-key';
  const clean = redact(text, ["my-own-key"]);
  for (const secret of ["abcdefgh", "topsecret99", "ghijkl", "my-own-key"]) expect(clean).not.toContain(secret);
  expect(clean).toContain("Incorrect key [redacted]");
});
