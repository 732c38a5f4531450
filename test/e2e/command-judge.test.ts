import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluateBook, openRun } from "../../src/index.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import { connectionsFromEnvironment } from "../../src/models/transport.ts";
import { checkJudges } from "../../src/server/judges.ts";
import type { ServerSettings } from "../../src/server/settings.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

const PROGRAM = join(process.cwd(), "test", "support", "judge-program.mjs");
const judge = (...words: string[]) =>
  `command:${[process.execPath, PROGRAM, ...words].map((word) => `"${word}"`).join(" ")}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-command-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const fabula = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runFabula(words, {
    folder,
    environment: { XDG_CONFIG_HOME: folder, FABULA_STORE: join(folder, "calls.db"), ...environment },
  });
const lines = async (file: string) => (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);

describe("a program as the judge", () => {
  it("reads the story closely, is covered by the user's own account, and is not asked twice", async () => {
    const log = join(folder, "asked.jsonl");
    const words = ["evaluate", STORY, "--judge", judge("answer", log), "--runs", "1", "--json"];
    const first = await fabula([...words, "--max-cost", "1"]);
    expect(first.stderr).toMatch(/Run \S+: \d+ calls .*, covered by your own account\./);
    expect(first.stdout + first.stderr).not.toMatch(/\$0|cost unknown/);
    const evaluation = JSON.parse(first.stdout);
    expect(evaluation).toMatchObject({ method: "close", cost: null, unpricedCalls: 0, coveredCalls: evaluation.calls });
    expect(evaluation.letter).toBeDefined();
    const asked = (await lines(log)).length;
    expect(asked).toBeGreaterThan(3);
    const second = await fabula(words);
    expect(second.code).toBe(first.code);
    expect((await lines(log)).length).toBe(asked);
    const plan = await fabula(["evaluate", STORY, "--judge", judge("answer"), "--dry-run"]);
    expect(plan.stdout).toContain("covered by your own account");
    expect(plan.stdout).not.toContain("cost unknown");
    expect(plan.stdout).not.toContain("$0.00");
  });

  it.each([
    [
      "cannot be started",
      "command:no-such-program-here -p",
      /"no-such-program-here -p" cannot be started \(ENOENT\): check that/,
    ],
    [
      "exits after half a reply",
      judge("half"),
      /ended with code 1 in the middle of a reply \(\d+ characters\); it said: quota used up until Monday\./,
    ],
    ["prints 100 MB", judge("flood"), /printed more than 16 MB and was stopped/],
    ["asks for input", judge("question"), /asks for input \("Log in now\? \[y\/N\]"\).* run it once in a terminal/],
    ["is not a whole command", 'command:llm "unclosed', /quotation mark that is not closed/],
    ["holds a key", "command:curl -H 'Authorization: Bearer sk-0123456789abcdef'", /must not hold a key/],
  ])("ends the run with one sentence when it %s", async (_what, name, sentence) => {
    const { code, stdout, stderr } = await fabula(["evaluate", STORY, "--judge", name]);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.match(/^fabula: /gm)).toHaveLength(1);
  });

  it("is stopped when it hangs, after the time that the user's own settings give it", async () => {
    const own = await mkdtemp(join(tmpdir(), "fabula-own-"));
    await mkdir(join(own, "fabula"));
    const settings = { judges: { slow: { judge: judge("hang"), name: "My slow one", timeout: 1 } } };
    await writeFile(join(own, "fabula", "fabula.config.yaml"), JSON.stringify(settings));
    const { code, stderr } = await fabula(["evaluate", STORY, "--judge", "slow"], { XDG_CONFIG_HOME: own });
    expect(stderr).toMatch(/did not answer within 1 seconds? and was stopped.*timeout:/);
    expect(code).toBe(1);
    await rm(own, { recursive: true, force: true });
  });

  it("judges for a program that names it", async () => {
    const evaluation = await evaluateBook(STORY, { judge: judge("answer"), runs: 1 });
    expect(evaluation).toMatchObject({ judge: judge("answer"), cost: null });
    expect(evaluation.coverage.share).toBe(1);
    const run = await openRun();
    const model = await run.model(judge("answer"));
    const asked = { purpose: "judge", sample: 0, messages: [{ role: "user", content: "Well?" }] } as const;
    expect((await model.complete(asked, new AbortController().signal)).text).toContain("simulated reply");
    expect((await run.finish()).summary).toMatchObject({ asked: 1, cost: null, coveredCalls: 1 });
  });
});

describe("a program is never started because of", () => {
  it("the settings of a folder, trusted or not", async () => {
    const project = await mkdtemp(join(tmpdir(), "fabula-folder-"));
    const log = join(project, "started.jsonl");
    await writeFile(join(project, "fabula.config.yaml"), JSON.stringify({ judge: judge("answer", log) }));
    const environment = { XDG_CONFIG_HOME: project, FABULA_STORE: join(project, "calls.db") };
    const untrusted = await runFabula(["evaluate", STORY], { folder: project, environment });
    expect(untrusted.stderr).toMatch(/Ignoring judge in .*fabula\.config\.yaml/);
    await runFabula(["settings", "trust", project], { folder: project, environment });
    const trusted = await runFabula(["evaluate", STORY], { folder: project, environment });
    expect(trusted.stderr).toMatch(/names the judge "command:.*which a folder's settings may not: remove it there/);
    expect(trusted.code).toBe(1);
    await writeFile(
      join(project, "fabula.config.yaml"),
      JSON.stringify({ judges: { x: { judge: judge("answer", log) } } }),
    );
    const named = await runFabula(["evaluate", STORY, "--judge", "x"], { folder: project, environment });
    expect(named.stderr).toMatch(/judges of its own .* may not/);
    expect(await lines(log)).toEqual([]);
    await rm(project, { recursive: true, force: true });
  });

  it("a file that names it: only what the user typed is started", async () => {
    await expect(createChatModel("command:touch started", { connections: { commands: ["llm"] } })).rejects.toThrow(
      /was not started: a program judges only where you name it yourself/,
    );
  });

  it("a queue: it is refused where work is queued, and a worker starts none", async () => {
    const queued = await fabula([
      "evaluate",
      STORY,
      "--judge",
      judge("answer"),
      "--store",
      "postgres://127.0.0.1:1/none",
    ]);
    expect(queued.stderr).toMatch(/is asked on this machine and never by the workers of a shared store: add --local\./);
    expect(queued.code).toBe(1);
    const ofWorker = { connections: connectionsFromEnvironment(process.env) };
    await expect(createChatModel("command:touch started", ofWorker)).rejects.toThrow(/was not started/);
  });

  it("a visitor of the web app, unless whoever started it named it", () => {
    const settings = { judges: ["command:llm"], connections: {} } as unknown as ServerSettings;
    expect(() => checkJudges(["command:touch started"], settings)).toThrow(/was not offered/);
    expect(() => checkJudges(["command:llm"], settings)).not.toThrow();
    expect(() => checkJudges(["command:llm#Another name"], settings)).toThrow(/was not offered/);
  });
});

describe("a judge with a name of the user's own", () => {
  it("is shown by that name, and its identity stands in the document", async () => {
    const own = await mkdtemp(join(tmpdir(), "fabula-names-"));
    await mkdir(join(own, "fabula"));
    const settings = { judge: "mine", judges: { mine: { judge: judge("answer"), name: "My night reader" } } };
    await writeFile(join(own, "fabula", "fabula.config.yaml"), JSON.stringify(settings));
    const environment = { XDG_CONFIG_HOME: own, FABULA_STORE: join(own, "calls.db") };
    const words = ["evaluate", STORY, "--method", "one-pass", "--runs", "1"];
    const shown = await runFabula(words, { folder: own, environment });
    expect(shown.stdout).toContain("Judged by My night reader, method one-pass");
    expect(shown.stdout).not.toContain("judge-program");
    const { stdout } = await runFabula([...words, "--json"], { folder: own, environment });
    expect(JSON.parse(stdout).judge).toBe(`${judge("answer")}#My night reader`);
    const models = await runFabula(["models"], { folder: own, environment });
    expect(models.stdout).toMatch(/mine +My night reader +command:/);
    await rm(own, { recursive: true, force: true });
  });
});

it("lists providers, prices and what is missing", async () => {
  const { stdout } = await fabula(["models", "--json"], { MISTRAL_API_KEY: "any" });
  const { date, providers, models } = JSON.parse(stdout);
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  const ready = Object.fromEntries(providers.map((one: { name: string; isReady: boolean }) => [one.name, one.isReady]));
  expect(ready).toMatchObject({ mistral: true, groq: false, vllm: true });
  expect(Object.keys(ready)).toEqual(
    expect.arrayContaining("openai openrouter azure bedrock mistral deepseek groq xai together vllm".split(" ")),
  );
  expect(models).toContainEqual(expect.objectContaining({ name: "mistral:mistral-large-2512", context: 262_144 }));
  const own = join(folder, "prices.yaml");
  await writeFile(own, 'date: 2031-02-03\nmodels:\n  "groq:mine": { input: 1, output: 2, context: 5000 }\n');
  const some = await fabula(["models", "--provider", "groq", "--prices", own]);
  expect(some.stdout).toMatch(/as of 2031-02-03.*\n.*\n(?:.*\n)*groq:mine +1\.000 +– +2\.000 +5,000/);
  expect(some.stdout).toContain("set GROQ_API_KEY");
  expect(some.stdout).not.toContain("mistral");
});
