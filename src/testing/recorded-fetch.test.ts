import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChatRequest } from "../models/chat-model.ts";
import { createChatModel } from "../models/create-chat-model.ts";
import { createSimulatedServer, recordingFetch, replayingFetch } from "./index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-recorded-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const request = (content: string): ChatRequest => ({
  purpose: "judge",
  sample: 0,
  messages: [{ role: "user", content }],
});

it("replays a real exchange without the network, repeat by repeat, and keeps no key", async () => {
  let answers = 0;
  const server = await createSimulatedServer({ key: "sk-secret-0123456789", reply: () => `answer ${++answers}` });
  const connections = { anthropic: { key: "sk-secret-0123456789", baseUrl: `${server.url}/v1` } };
  const name = "anthropic:claude-sonnet-4-5";
  const recorded = await createChatModel(name, { connections, fetch: recordingFetch(folder) });
  for (const text of ["a", "a", "b"]) await recorded.complete(request(text), signal);
  await server.close();

  const replayed = await createChatModel(name, { connections, fetch: replayingFetch(folder) });
  const replies = [];
  for (const text of ["b", "a", "a", "a"]) replies.push((await replayed.complete(request(text), signal)).text);
  expect(replies).toEqual(["answer 3", "answer 1", "answer 2", "answer 2"]);
  await expect(replayed.complete(request("never asked"), signal)).rejects.toThrow(/No recording of this request/);

  const files = await readdir(folder);
  expect(files).toHaveLength(3);
  for (const file of files) expect(await readFile(join(folder, file), "utf8")).not.toContain("sk-secret");
});
