import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluateBook, openRun } from "../../src/index.ts";
import { connectionsFromEnvironment } from "../../src/models/connection.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import { checkJudges } from "../../src/server/judges.ts";
import type { ServerSettings } from "../../src/server/settings.ts";
import { askShortly } from "../../src/tasks/runs/find-judges.ts";
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
    expect(second.stderr).toMatch(/from the store, 0 failed\), covered by your own account\./);
    const again = await fabula([...words.slice(0, -1), "--dry-run"]);
    expect(again.stdout).toMatch(/0 tokens in, about 0 out, covered by your own account\./);
    const listed = await fabula(["runs", "list"]);
    expect(listed.stdout.match(/covered by your own account/g)).toHaveLength(2);
    expect(second.stderr + again.stdout + listed.stdout).not.toContain("$0");
    const checked = await fabula(["doctor", "--judge", judge("answer")]);
    expect(checked.stdout).toContain("  covered by your own account");
    expect(checked.stdout).not.toContain("price unknown");
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
    [
      "prints nothing",
      "command:true",
      /"true" printed nothing\. Try it in a terminal, with the prompt on standard input/,
    ],
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
    const settings = { judges: { slow: { judge: judge("hang"), name: "My slow one", timeout: 14 } } };
    await writeFile(join(own, "fabula", "fabula.config.yaml"), JSON.stringify(settings));
    const { code, stderr } = await fabula(["evaluate", STORY, "--judge", "slow"], { XDG_CONFIG_HOME: own });
    expect(stderr).toMatch(
      /No reply has come from the command .* for 7 seconds; it printed last: Waiting for your approval\. It is given 14 seconds/,
    );
    expect(stderr).toMatch(/did not answer within 14 seconds and was stopped.*timeout:/);
    expect(code).toBe(1);
    await rm(own, { recursive: true, force: true });
  });

  it("is ended at once by the first Ctrl-C", async () => {
    const log = join(folder, "hanging");
    const main = join(process.cwd(), "dist", "cli", "main.js");
    const words = ["evaluate", STORY, "--judge", judge("hang", log)];
    const child = spawn(process.execPath, [main, ...words], {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: folder, FABULA_STORE: join(folder, "calls.db") },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => {
      stderr += text.toString();
    });
    const ended = once(child, "close");
    await expect.poll(() => lines(log), { timeout: 30_000 }).not.toHaveLength(0);
    const pids = (await lines(log)).map(Number);
    const asked = Date.now();
    child.kill("SIGINT");
    expect((await ended)[0]).not.toBe(0);
    // A call that is paid for would be waited for: 20 seconds.
    expect(Date.now() - asked).toBeLessThan(15_000);
    expect(stderr).toContain(
      "Stopping: the program is ended, every answer so far is kept, and the same command continues",
    );
    expect(stderr).not.toContain("finishing the calls");
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it("is asked again when what it printed could not be read, and the useless reply is never an answer", async () => {
    const loggedIn = join(folder, "logged-in");
    const words = ["evaluate", STORY, "--judge", judge("login", loggedIn), "--runs", "1", "--json"];
    const before = await fabula(words);
    expect(before.stderr).toMatch(
      /did not answer the first question .*: the reply holds no JSON: “Please run \/login first”\. Nothing more was asked, and what came back is not used again\. Try the program in a terminal, then run the same command again/,
    );
    expect(before.code).toBe(1);
    await writeFile(loggedIn, "");
    const plan = await fabula([...words.slice(0, -1), "--dry-run"]);
    expect(plan.stdout).toContain("2 of them already answered");
    const after = await fabula(words);
    const evaluation = JSON.parse(after.stdout);
    expect(evaluation.letter).toBeDefined();
    // The two useless replies are calls of this book too, and nothing that could be read is asked again.
    const again = await fabula(words);
    expect(JSON.parse(again.stdout)).toMatchObject({ calls: evaluation.calls, overall: evaluation.overall });
    expect(again.stderr).toMatch(/\(all answered from the store\)|from the store/);
  });

  it("ends the run when it has lost its login on the way, and the same command continues", async () => {
    const log = join(folder, "forgets.jsonl");
    const words = ["evaluate", STORY, "--judge", judge("forgets", log), "--runs", "1", "--json"];
    const stopped = await fabula(words);
    expect(stopped.stderr).toMatch(
      /^fabula: .* gave one and the same reply 4 times, and it cannot be read: “Please run \/login first”\. Nothing more was asked, .* run the same command again: it goes on from here\.$/m,
    );
    expect(stopped).toMatchObject({ code: 1, stdout: "" });
    const asked = (await lines(log)).length;
    expect(asked).toBeLessThan(4 + 9);
    const listed = await fabula(["runs", "list", "--json"]);
    expect(JSON.parse(listed.stdout).runs[0].status).not.toBe("done");
    await writeFile(`${log}.in`, "");
    const finished = await fabula(words);
    expect(JSON.parse(finished.stdout).letter).toBeDefined();
    expect(finished.stderr).toMatch(/\(\d*[1-9]\d* from the store/);
  });

  it("is tried out with a question whose answer is checked", async () => {
    const own = await mkdtemp(join(tmpdir(), "fabula-own-"));
    await mkdir(join(own, "fabula"));
    const settle = (settings: object) => writeFile(join(own, "fabula", "fabula.config.yaml"), JSON.stringify(settings));
    const environment = { XDG_CONFIG_HOME: own, PATH: own, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
    await settle({ judge: "nigth", judges: { night: { judge: judge("login", join(own, "in")) } } });
    const tried = await fabula(["setup", "--test", "--judge", "night"], environment);
    expect(tried.stdout).toMatch(
      /does not work: the reply holds no JSON: “Please run \/login first”\. Try the program in a terminal/,
    );
    expect(tried.stdout + tried.stderr).not.toMatch(/Choose one with|from now on/);
    expect(tried.stderr).toContain("night does not work yet, and was not saved.");
    expect(tried.code).toBe(1);
    const doctor = await fabula(["doctor", "--judge", "night"], environment);
    expect(doctor.stdout).toContain("✗ night  the reply holds no JSON: “Please run /login first”");
    expect(doctor.stdout).toMatch(/✗ default judge +"nigth" is not a judge\. Did you mean "night"\?/);
    expect(doctor.code).toBe(1);
    const misspelt = await fabula(["setup"], environment);
    expect(misspelt.stdout).toContain('Your default is nigth. "nigth" is not a judge. Did you mean "night"?');
    await writeFile(join(own, "in"), "");
    const works = await fabula(["setup", "--test", "--judge", "night"], environment);
    expect(works.stdout).toMatch(/answered in .*night judges from now on, instead of nigth/s);
    expect(works.code).toBe(0);
    for (const [given, meant] of [
      ["openia:gpt-4.1", "openai:gpt-4.1"],
      ["comand:claude -p", "command:claude -p"],
    ] as const)
      expect((await fabula(["setup", "--judge", given])).stderr).toContain(`Did you mean "${meant}"?`);
    await rm(own, { recursive: true, force: true });
  });

  it("has a minute for that one question", async () => {
    const name = judge("hang");
    const model = await createChatModel(name, { connections: { commands: [name.slice("command:".length)] } });
    await expect(askShortly(model, new AbortController().signal, 1000)).rejects.toThrow(
      "it did not answer within 1 seconds and was stopped. Try it in a terminal",
    );
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

  it("keeps two settings of one model apart, guesses a misspelt name, and hides no judge of Fabula's own", async () => {
    const own = await mkdtemp(join(tmpdir(), "fabula-names-"));
    await mkdir(join(own, "fabula"));
    const log = join(own, "asked.jsonl");
    const settle = (judges: object) => writeFile(join(own, "fabula", "fabula.config.yaml"), JSON.stringify({ judges }));
    const environment = { XDG_CONFIG_HOME: own, FABULA_STORE: join(own, "calls.db") };
    const by = (name: string) =>
      runFabula(["evaluate", STORY, "--judge", name, "--method", "one-pass", "--runs", "1"], {
        folder: own,
        environment,
      });
    const reader = { judge: judge("answer", log) };
    await settle({ short: { ...reader, context: 60_000 }, long: { ...reader, context: 200_000 } });
    await by("short");
    const asked = (await lines(log)).length;
    expect(asked).toBeGreaterThan(0);
    await by("long");
    expect((await lines(log)).length).toBe(2 * asked);
    await by("short");
    expect((await lines(log)).length, "each has its own answers").toBe(2 * asked);
    expect((await by("shrot")).stderr).toMatch(/^fabula: "shrot" is not a judge: .* Did you mean "short"\?$/m);

    for (const [judges, sentence] of [
      [{ local: reader }, /judges\.local: "local" is a judge of Fabula's own: give yours another name/],
      [{ one: { ...reader, name: "A" }, two: { ...reader, name: "A", context: 9 } }, /same judge as "one".*two names/],
      [{ one: { ...reader, options: { seed: 1 } } }, /sent to a server, and this judge has none/],
    ] as const) {
      await settle(judges);
      const refused = await by("one");
      expect(refused.stderr).toMatch(sentence);
      expect(refused.code).toBe(1);
    }
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
  const misspelt = await fabula(["models", "--provider", "mistrall"]);
  expect(misspelt).toMatchObject({ code: 1, stdout: "" });
  expect(misspelt.stderr).toMatch(/^fabula: There is no provider "mistrall"\. Did you mean "mistral"\?/m);
  const unpriced = await fabula(["models", "--provider", "azure"]);
  expect(unpriced.stdout).toContain("The price of no model of azure is known");
  const here = await fabula(["models", "--provider", "vllm"]);
  expect(here.stdout).toContain("Models of vllm run on a server of your own: free of charge, as far as Fabula knows.");
});
