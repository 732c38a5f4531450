import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWriterList } from "./writer-list.ts";

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "fabula-writers-")), "writers.txt");
  writeFileSync(file, text);
  return file;
}

describe("a list of writers", () => {
  it("has one model per line, comments, and a cutoff where it is known", async () => {
    const file = fileOf("# closed\nopenai:gpt-4o cutoff=2023-10\n\nollama:llama3   # local\nllama@http://host/v1#x\n");
    expect(await readWriterList(file)).toEqual([
      { model: "openai:gpt-4o", cutOff: 2023 },
      { model: "ollama:llama3", cutOff: null },
      { model: "llama@http://host/v1#x", cutOff: null },
    ]);
  });

  it("may say what people call a writer, who made it and when", async () => {
    const file = fileOf('openai:gpt-4o name="GPT-4o" maker=OpenAI released=2024-05 cutoff=2023\n');
    expect(await readWriterList(file)).toEqual([
      { model: "openai:gpt-4o", cutOff: 2023, name: "GPT-4o", maker: "OpenAI", date: "2024-05" },
    ]);
  });

  it("says which line it does not understand", async () => {
    await expect(readWriterList(fileOf("openai:gpt-4o\nopenai:gpt-5 cut=2024\n"))).rejects.toThrow(/Line 2 of/);
    await expect(readWriterList(fileOf("# nobody\n"))).rejects.toThrow(/names no writer/);
  });
});
