import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

/** `script` of util-linux gives a program a terminal of its own: keys are written to its input, and its output is the screen. */
const hasTerminals = spawnSync("/usr/bin/script", ["--version"]).stdout?.toString().includes("util-linux") ?? false;

function startAtTerminal() {
  const words = [process.execPath, join(process.cwd(), "dist/cli/main.js"), "evaluate", STORY, "--judge", "paste"];
  const line = words.map((word) => `'${word}'`).join(" ");
  const child = spawn("/usr/bin/script", ["-qefc", `exec ${line}`, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", XDG_CONFIG_HOME: folder, FABULA_STORE: join(folder, "calls.db") },
  });
  const at = { screen: "", ended: once(child, "close") };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    at.screen += text;
  });
  return { child, at };
}

describe.skipIf(!hasTerminals)("at a terminal", () => {
  const SHOWN = /Question (\d+) of about (\d+): (\S+question-\d+-\w+\.txt)/g;

  it("takes every reply, in lines of any length, ends after the letter, and draws no bar over what is pasted", {
    timeout: 240_000,
  }, async () => {
    const { child, at } = startAtTerminal();
    const answered = new Set<string>();
    let isOver = false;
    void at.ended.then(() => {
      isOver = true;
    });
    for (;;) {
      const waiting = () => [...at.screen.matchAll(SHOWN)].find(([, , , file]) => !answered.has(file!));
      await expect.poll(() => isOver || waiting() !== undefined, { timeout: 60_000 }).toBe(true);
      if (isOver) break;
      const [, place, total, file] = waiting()!;
      expect(Number(place)).toBe(answered.size + 1);
      expect(Number(total)).toBeGreaterThanOrEqual(Number(place));
      answered.add(file!);
      // One line, longer than a terminal's own line may be.
      const reply = (await chatReply(file!)).trim().replace(/\s*\n\s*/g, " ");
      child.stdin.write(`${reply.padEnd(6000)}\r.\r`);
    }
    // Nobody has closed the keyboard: it ended by itself.
    expect([0, 3]).toContain((await at.ended)[0]);
    expect(answered.size).toBeGreaterThan(4);
    expect(at.screen).not.toContain("cannot be used");
    // How a bar clears its line.
    expect(at.screen).not.toContain("\u001b[2K");
    expect(at.screen).toContain("covered by your own account");
  });

  it.each(["SIGTERM", "Ctrl-C"])("ends on %s while it waits, and says that nothing is lost", async (how) => {
    const { child, at } = startAtTerminal();
    await expect.poll(() => at.screen, { timeout: 60_000 }).toMatch(SHOWN);
    if (how === "Ctrl-C") child.stdin.write("\u0003");
    else {
      const shown = spawnSync("ps", ["-o", "pid=", "--ppid", String(child.pid)]).stdout.toString();
      process.kill(Number(shown.trim()), "SIGTERM");
    }
    await at.ended;
    expect(at.screen).toContain("every answer so far is kept, and the same command continues from here");
  });
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

/** Somebody who pastes at a terminal, and the notes that they read. */
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
  expect(notes[0]).toMatch(/Copy all of it into your chat/);
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
  for (const [shown, copy] of [
    [4, '{"rating": 2}'],
    // The same, as another program breaks its lines.
    [5, '{ "rating":\n2 }'],
  ] as const) {
    await expect.poll(() => notes.length).toBe(shown);
    paste(copy);
  }
  expect(await third, "two questions may have one answer").toMatchObject({ text: '{ "rating":\n2 }' });
});
