import { expect, it } from "vitest";
import { connectionsFromEnvironment } from "./connection.ts";

it.each([
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:11435", "http://127.0.0.1:11435"],
  [":11435", "http://127.0.0.1:11435"],
  ["[::]:11435", "http://127.0.0.1:11435"],
  ["::1", "http://[::1]:11434"],
  ["[::1]", "http://[::1]:11434"],
  ["box.local", "http://box.local:11434"],
  ["box.local:80", "http://box.local:80"],
  ["box.local/ollama/", "http://box.local:11434/ollama"],
  [' "192.168.1.5" ', "http://192.168.1.5:11434"],
  ["http://box.local", "http://box.local"],
  ["https://box.local/", "https://box.local"],
  ["http://0.0.0.0:11434", "http://127.0.0.1:11434"],
])("OLLAMA_HOST=%s is asked at %s, as Ollama's own programs do", (OLLAMA_HOST, address) => {
  const { ollama } = connectionsFromEnvironment({ OLLAMA_HOST });
  expect(ollama).toEqual({ baseUrl: address });
  expect(URL.canParse(address)).toBe(true);
});
