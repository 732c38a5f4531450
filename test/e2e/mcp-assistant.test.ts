import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../src/core/random.ts";
import { seededReply } from "../../src/testing/index.ts";
import { spawnFabula } from "./run-fabula.ts";

const BOOK = "the-inspector-of-weights.md";
const LETTER = `fabula://letter/${BOOK}`;

let folder: string;
const clients: Client[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-assistant-"));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await rm(folder, { recursive: true, force: true });
});

/** An assistant: the official client, which answers when it is asked if it `samples`. */
async function assistant(
  name: string,
  samples: boolean | ((prompt: string) => Promise<string>) = false,
): Promise<Client> {
  const answer = typeof samples === "function" ? samples : reply;
  const client = new Client({ name, version: "1" }, { capabilities: samples ? { sampling: {} } : {} });
  clients.push(client);
  if (samples) {
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params: { messages } }) => ({
      model: "assistant-model-2026-11-01",
      role: "assistant",
      content: { type: "text", text: await answer(messages.map(({ content }) => textOf(content)).join("\n")) },
    }));
  }
  const main = resolve("dist/cli/main.js");
  const words = ["mcp", "--folder", resolve("assets/examples"), "--store", join(folder, "calls.db")];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, ...words], cwd: folder, stderr: "ignore" }),
  );
  return client;
}

const textOf = (content: unknown) => z.object({ text: z.string() }).parse(content).text;

async function reply(given: string): Promise<string> {
  // What is said about the question is not what is asked.
  const prompt = given.replace(/ Reading the book\.| About \d+ questions? left, with this one\./g, "");
  const request = { messages: [{ role: "user", content: prompt }], schema: null } as unknown as Parameters<
    typeof seededReply
  >[0];
  return String(await seededReply(request, seededRandom(prompt.length)));
}

const resultSchema = z.looseObject({
  content: z.array(z.object({ text: z.string() })),
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = resultSchema.parse(await client.callTool({ name, arguments: given }, undefined, { timeout: 120_000 }));
  return { text: result.content[0]!.text, isError: result.isError ?? false, data: result.structuredContent ?? {} };
}

const next = (client: Client, full = true) => call(client, "next_question", { book: BOOK, full });
const give = (client: Client, question: unknown, text: string) =>
  call(client, "answer_question", { question, reply: text });

async function letterOf(client: Client): Promise<string> {
  const { contents } = await client.readResource({ uri: LETTER });
  return textOf(contents[0]);
}

describe("an assistant that can be asked", () => {
  it("reads the book closely through sampling and leaves a letter", { timeout: 120_000 }, async () => {
    const client = await assistant("sampler", true);
    const steps: string[] = [];
    const result = resultSchema.parse(
      await client.callTool({ name: "evaluate_book", arguments: { book: BOOK, judge: "assistant" } }, undefined, {
        timeout: 120_000,
        onprogress: ({ message }) => steps.push(message ?? ""),
      }),
    );
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ judge: "assistant", cost: null, coverage: 1 });
    expect(result.content[0]!.text).toContain("covered by your own account");
    expect(steps).toContain("Reading the book");
    expect(await letterOf(client)).toContain("Judged by assistant, method close");
    const story = await client.readResource({ uri: `fabula://story/${BOOK}` });
    expect(JSON.parse(textOf(story.contents[0]))).toHaveProperty("premise");
  });

  it("is asked again after a reply that cannot be read, in the same session and in another", {
    timeout: 120_000,
  }, async () => {
    let isUseless = true;
    const client = await assistant("absent-minded", async (prompt) => (isUseless ? "Let me think." : reply(prompt)));
    const evaluate = (by: Client) => call(by, "evaluate_book", { book: BOOK, judge: "assistant" });
    for (const _ of ["first", "second"]) {
      const refused = await evaluate(client);
      expect(refused.isError).toBe(true);
      expect(refused.text).toMatch(
        /^assistant did not answer the first question .*“Let me think\.”.*Call the same tool again to ask once more.*method: "summary"\.$/,
      );
      expect(refused.text).not.toMatch(/--|command/);
    }
    isUseless = false;
    expect(await evaluate(client)).toMatchObject({ isError: false, data: { judge: "assistant", coverage: 1 } });
    isUseless = true;
    const another = await assistant("another", async () => "What book?");
    expect(await evaluate(another), "what could be read is not asked again").toMatchObject({ isError: false });
  });
});

it("asks an assistant everything again when that is wanted, and nothing twice otherwise", {
  timeout: 120_000,
}, async () => {
  let asked = 0;
  const client = await assistant("patient", async (prompt) => {
    asked += 1;
    return reply(prompt);
  });
  const evaluate = (given: object = {}) => call(client, "evaluate_book", { book: BOOK, judge: "assistant", ...given });
  const first = await evaluate();
  const once = asked;
  expect((await evaluate()).data.overall).toEqual(first.data.overall);
  expect(asked).toBe(once);
  expect(await evaluate({ refresh: true })).toMatchObject({ isError: false });
  expect(asked).toBe(2 * once);
});

describe("an assistant that cannot be asked", () => {
  it("answers questions with tools; another goes on where it stopped, and nothing is asked twice", {
    timeout: 240_000,
  }, async () => {
    const first = await assistant("first");
    expect((await call(first, "evaluate_book", { book: BOOK, judge: "assistant" })).text).toContain("next_question");
    const asked = new Set<unknown>();
    let left = Number.POSITIVE_INFINITY;
    for (let answered = 0; answered < 3; answered++) {
      const { text, data } = await next(first);
      expect(data.left).toBeLessThan(left);
      left = Number(data.left);
      expect(text).toMatch(new RegExp(`^Question \\w+\\..* About ${left} questions left, with this one\\.`));
      asked.add(data.question);
      expect((await give(first, data.question, await reply(text))).data).toEqual({ accepted: true, problems: [] });
    }
    await first.close();

    const second = await assistant("second");
    for (;;) {
      const { text, data } = await next(second);
      if (data.isDone) {
        expect(data.letter).toBe(LETTER);
        break;
      }
      expect(asked).not.toContain(data.question);
      asked.add(data.question);
      expect((await give(second, data.question, await reply(text))).data.accepted).toBe(true);
    }
    expect(asked.size).toBeGreaterThan(5);
    expect(await letterOf(second)).toContain("Judged by assistant, method close");
    await second.close();

    const third = await assistant("third");
    expect(await letterOf(third), "nothing is left to ask").toContain("Judged by assistant");
    const { resources } = await third.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining([LETTER, `fabula://map/${BOOK}`]));
  });

  it("is told what is wrong with an answer, and nothing is lost", { timeout: 120_000 }, async () => {
    const client = await assistant("careless");
    const { text, data } = await next(client);
    const { question } = data;
    const right = await reply(text);
    expect((await give(client, question, "I liked it a lot.")).data).toMatchObject({
      accepted: false,
      problems: [expect.stringContaining("holds no JSON")],
    });
    expect((await give(client, question, '{"premise": 3}')).data).toMatchObject({
      accepted: false,
      problems: [expect.stringContaining("another shape")],
    });
    const invented = right.replace(/"quote":"[^"]*"/g, '"quote":"the bells rang for her wedding all morning"');
    expect(invented).not.toBe(right);
    const quoted = await give(client, question, invented);
    expect(quoted.data.accepted).toBe(false);
    expect(quoted.text).toMatch(/"the bells rang for her wedding all morning" is not in the text; quote it/);
    expect(await give(client, "00000000", right)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^There is no open question 00000000\. Open questions: [0-9a-f]{8}/),
    });
    expect((await give(client, question, right)).data.accepted).toBe(true);
    expect(await give(client, question, right)).toMatchObject({
      isError: true,
      text: expect.stringContaining("is answered already, and its answer was kept"),
    });
    const following = await next(client, false);
    expect(following.text.length, "the book is handed out once").toBeLessThan(text.length / 2);
    expect((await give(client, following.data.question, right)).text).toContain(`the reply to question ${question}`);
    await expect(letterOf(client), "it never answers").rejects.toThrow(/has no letter yet: \d questions? waits? /);
  });
});

it("lists the folder, offers prompts, says what each tool returns, and needs a folder that exists", async () => {
  const client = await assistant("curious");
  expect((await call(client, "list_books", {})).data.books).toContainEqual(expect.objectContaining({ path: BOOK }));
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  for (const { inputSchema } of tools.filter(({ name }) => /^(?:evaluate|compare)_book/.test(name))) {
    const { description } = z.looseObject({ description: z.string() }).parse(inputSchema.properties?.judge);
    expect(description).toMatch(
      /^jury, crowd, editor, grader: .*; assistant: you.*; no language model is allowed here$/,
    );
  }
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ title }) => title)).toContain("Write me an edit letter");
  const { messages } = await client.getPrompt({ name: "edit_letter", arguments: { book: BOOK } });
  expect(textOf(messages[0]!.content)).toContain(`Write me an edit letter for ${BOOK}`);
  const map = await client.readResource({ uri: `fabula://map/${BOOK}` });
  expect(textOf(map.contents[0])).toMatch(/dialogue/i);
  const nowhere = await spawnFabula(["mcp", "--folder", join(folder, "nowhere")], { folder, input: "" });
  expect(nowhere).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no folder ".*nowhere": give the folder/),
  });
});
