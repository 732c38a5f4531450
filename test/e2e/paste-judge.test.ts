import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pasteModel } from "../../src/cli/paste-judge.ts";
import { seededRandom } from "../../src/core/random.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";
import { seededReply } from "../../src/testing/index.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-paste-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const evaluate = (input = "") =>
  runFabula(["evaluate", STORY, "--judge", "paste", "--json"], {
    folder,
    input,
    environment: { XDG_CONFIG_HOME: folder, FABULA_STORE: join(folder, "calls.db") },
  });
const questions = () => join(folder, "fabula-questions");
const waiting = (stderr: string) => /waits in (\S+question-\d+-\w+\.txt): copy/.exec(stderr)?.[1] ?? null;

async function chatReply(question: string): Promise<string> {
  const whole = question.replace("question-", "whole-question-");
  const prompt = await readFile(join(folder, whole), "utf8").catch(() => readFile(join(folder, question), "utf8"));
  const request = { messages: [{ role: "user", content: prompt }], schema: null };
  return `Of course!\n\n${await seededReply(request as never, seededRandom(prompt.length))}\n`;
}

it("reads the whole story through a chat window, one question at a time, from piped and saved replies", {
  timeout: 240_000,
}, async () => {
  let turn = await evaluate();
  expect(turn.code).toBe(1);
  const first = waiting(turn.stderr)!;
  expect(turn.stderr).toContain("Question 1 waits in");
  expect(turn.stderr.match(/^fabula: /gm)).toHaveLength(1);
  expect(await readFile(join(folder, first), "utf8")).toContain("Inspector");

  // Wrong, then right.
  const wrong = await evaluate("A lovely book.");
  expect(wrong.stderr).toMatch(/This reply cannot be used: the reply holds no JSON: .A lovely book/);
  expect(waiting(wrong.stderr)).toBe(first);
  const right = await chatReply(first);
  turn = await evaluate(right);
  const second = waiting(turn.stderr)!;
  expect(second).not.toBe(first);

  // The reply to another question.
  await writeFile(join(folder, second.replace("question-", "reply-")), right);
  const another = await evaluate();
  expect(another.stderr).toMatch(/it is the same as reply-01-\w+\.txt, the reply to another question/);
  expect(waiting(another.stderr)).toBe(second);

  let asked = 1;
  for (let question: string | null = second; question !== null; asked++) {
    await writeFile(join(folder, question.replace("question-", "reply-")), await chatReply(question));
    turn = await evaluate();
    expect(waiting(turn.stderr)).not.toBe(question);
    question = waiting(turn.stderr);
  }
  expect([0, 3]).toContain(turn.code);
  const evaluation = JSON.parse(turn.stdout);
  expect(evaluation).toMatchObject({ judge: "paste", method: "close", runs: 1, cost: null });
  expect(evaluation.letter).toBeDefined();
  expect(asked).toBe(evaluation.calls);
  const files = await readdir(questions());
  expect(files.filter((name) => name.startsWith("question-"))).toHaveLength(asked);
});

it("takes replies that are pasted into the terminal, and asks again for one that cannot be used", async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const notes: string[] = [];
  const terminal = { note: (text: string) => notes.push(text) };
  const model = pasteModel({ id: "paste:a chat", folder: questions(), stdin, terminal });
  const request: ChatRequest = {
    purpose: "judge",
    sample: 0,
    messages: [{ role: "user", content: "Rate the story." }],
    schema: {
      name: "rating",
      schema: { type: "object", properties: { rating: { type: "number" } }, required: ["rating"] },
    },
  };
  const reply = model.complete(request, new AbortController().signal);
  stdin.write('Sure.\n{"rating": "high"}\n.\n');
  await expect.poll(() => notes.join("\n")).toContain("This reply cannot be used: the reply's JSON has another shape");
  stdin.write('{\n  "rating": 4\n}\n.\n');
  expect(await reply).toMatchObject({ text: '{\n  "rating": 4\n}', model: "paste:a chat" });
  expect(notes[0]).toMatch(/copy all of it into your chat/);
});
