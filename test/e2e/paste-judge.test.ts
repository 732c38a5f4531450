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
  const kept = join(folder, second.replace("question-", "refused-"));
  expect(await readFile(kept, "utf8"), "what was saved is still there").toBe(right);

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

const rating: ChatRequest = {
  purpose: "judge",
  sample: 0,
  messages: [{ role: "user", content: "Rate the story." }],
  schema: {
    name: "rating",
    schema: { type: "object", properties: { rating: { type: "number" } }, required: ["rating"] },
  },
};

/** Somebody at a terminal who pastes: what the model asks, and what is said to them. */
function atTerminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const notes: string[] = [];
  const terminal = { note: (text: string) => notes.push(text) };
  const model = pasteModel({ id: "paste:a chat", folder: questions(), stdin, terminal });
  const ask = (content: string) =>
    model.complete({ ...rating, messages: [{ role: "user", content }] }, new AbortController().signal);
  const paste = (text: string) => stdin.write(`${text}\n.\n`);
  return { notes, ask, paste };
}

it("takes replies that are pasted into the terminal, and asks again for one that cannot be used", async () => {
  const { notes, ask, paste } = atTerminal();
  const reply = ask("Rate the story.");
  paste('Sure.\n{"rating": "high"}');
  await expect.poll(() => notes.join("\n")).toContain("This reply cannot be used: the reply's JSON has another shape");
  paste('{\n  "rating": 4\n}');
  expect(await reply).toMatchObject({ text: '{\n  "rating": 4\n}', model: "paste:a chat" });
  expect(notes[0]).toMatch(/copy all of it into your chat/);
});

it("refuses a pasted reply of another question in one sentence, loses nothing, and takes it when it is meant", async () => {
  const { notes, ask, paste } = atTerminal();
  const first = ask("Rate the beginning.");
  paste('{"rating": 4}');
  await first;
  const second = ask("Rate the end.");
  await expect.poll(() => notes.length).toBe(2);
  paste('{"rating": 4}');
  await expect.poll(() => notes.length).toBe(3);
  expect(notes[2]).toMatch(
    /^This reply cannot be used: it is the same as reply-01-\w+\.txt, the reply to another question\. Nothing is lost: copy \S+question-02-\w+\.txt into your chat and give its reply here, or give the same reply once more if it answers both\.$/,
  );
  const names = await readdir(questions());
  const [answered] = names.filter((name) => name.startsWith("reply-"));
  expect(await readFile(join(questions(), answered!), "utf8"), "the first answer stands").toBe('{"rating": 4}\n');
  paste('{"rating": 2}');
  expect(await second).toMatchObject({ text: '{"rating": 2}' });

  const third = ask("Rate the middle.");
  for (const shown of [4, 5]) {
    await expect.poll(() => notes.length).toBe(shown);
    paste('{"rating": 2}');
  }
  expect(await third, "two questions may have one answer").toMatchObject({ text: '{"rating": 2}' });
});
