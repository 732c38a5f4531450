import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { SILENT_ADDRESS } from "../support/loopback-server.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

let models: SimulatedServer;
let folder: string;
const servers: Server[] = [];
beforeAll(async () => {
  models = await createSimulatedServer();
});
afterAll(() => models.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-local-"));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server of models: what it says of itself, and the simulated server behind it for everything else. */
async function serving(pages: Record<string, unknown>, seen: string[] = []): Promise<string> {
  const answer: RequestListener = async (request, response) => {
    const body = await text(request);
    const page = pages[request.url ?? ""];
    response.setHeader("content-type", "application/json");
    if (page !== undefined) return response.end(JSON.stringify(page));
    if (!/chat/.test(request.url ?? "")) return response.writeHead(404).end("{}");
    seen.push(body);
    const reply = await fetch(models.url + request.url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: "Bearer any" },
    });
    return response.writeHead(reply.status).end(await reply.text());
  };
  const server = createServer((request, response) => void answer(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nothing of this machine is found: no settings, no programs, no servers, no keys. */
const ownEnvironment = () => ({
  XDG_CONFIG_HOME: join(folder, "config"),
  FABULA_STORE: join(folder, "calls.db"),
  PATH: join(folder, "bin"),
  OLLAMA_HOST: SILENT_ADDRESS,
  LMSTUDIO_BASE_URL: `${SILENT_ADDRESS}/v1`,
  LLAMACPP_BASE_URL: `${SILENT_ADDRESS}/v1`,
  VLLM_BASE_URL: `${SILENT_ADDRESS}/v1`,
  OPENAI_API_KEY: "",
  ANTHROPIC_API_KEY: "",
});
const fabula = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runFabula(words, { folder, environment: { ...ownEnvironment(), ...environment } });

const OLLAMA = {
  "/api/tags": {
    models: [
      { name: "nomic-embed-text:latest", size: 9e9, details: { family: "nomic-bert", parameter_size: "137M" } },
      { name: "small:3b", size: 2e9, details: { family: "small", parameter_size: "3.2B" } },
      { name: "large:14b", size: 9e9, details: { family: "large", parameter_size: "14.8B" } },
    ],
  },
  "/api/show": { model_info: { "large.context_length": 40_960 } },
};

/** The beginning of a GGUF file: what it says of the model before its vocabulary. */
function ggufHeader({ context, size }: { readonly context: number; readonly size: string }): Buffer {
  const number = (value: number, bytes: 4 | 8) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const text = (value: string) => Buffer.concat([number(value.length, 8), Buffer.from(value)]);
  return Buffer.concat([
    ...[Buffer.from("GGUF"), number(3, 4), number(0, 8), number(3, 8)],
    ...[text("general.architecture"), number(8, 4), text("llama")],
    ...[text("general.size_label"), number(8, 4), text(size)],
    ...[text("llama.context_length"), number(4, 4), number(context, 4)],
  ]);
}

describe("--judge local", () => {
  it("takes the strongest model of the server that runs, names it, and holds it to the shape", async () => {
    const seen: string[] = [];
    const address = await serving(OLLAMA, seen);
    const { stdout, stderr } = await fabula(["evaluate", STORY, "--judge", "local", "--runs", "1", "--json"], {
      OLLAMA_HOST: address,
    });
    expect(stderr).toContain("The local judge is ollama:large:14b (Ollama, context of 40,960 tokens).");
    expect(stderr).not.toContain("too weak");
    expect(JSON.parse(stdout)).toMatchObject({ judge: "ollama:large:14b", method: "close" });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.every((body) => JSON.parse(body).format?.type === "object")).toBe(true);
    const again = await fabula(["evaluate", STORY, "--judge", "local", "--runs", "1"], { OLLAMA_HOST: address });
    const listed = await fabula(["runs", "list"]);
    for (const words of [stderr, again.stdout, again.stderr, listed.stdout])
      expect(words).toContain("free of charge, as far as Fabula knows");
    expect(stderr + again.stdout + again.stderr + listed.stdout).not.toContain("$0.00");
  });

  it("takes llama.cpp's server with its own context, and warns of a small model", async () => {
    const seen: string[] = [];
    const address = await serving(
      {
        "/props": { default_generation_settings: { n_ctx: 8192 } },
        "/v1/models": { data: [{ id: "tiny-1b-q4.gguf", meta: { n_params: 1_230_000_000 } }] },
      },
      seen,
    );
    const { stderr } = await fabula(["evaluate", STORY, "--judge", "local", "--method", "one-pass", "--runs", "1"], {
      LLAMACPP_BASE_URL: `${address}/v1`,
    });
    expect(stderr).toMatch(
      /The local judge is llamacpp:tiny-1b-q4\.gguf \(llama\.cpp server, context of 8,192 tokens\)/,
    );
    expect(stderr).toMatch(/too weak for a close reading: it has 1\.2 billion parameters.*8,192 tokens at a time/);
  });

  it("asks LM Studio for the model that is loaded, by its grammar", async () => {
    const seen: string[] = [];
    const address = await serving(
      {
        "/api/v0/models": {
          data: [
            { id: "text-embedding-nomic", type: "embeddings", state: "loaded" },
            { id: "qwen3-32b", type: "llm", state: "not-loaded", max_context_length: 131_072 },
            {
              id: "gemma-3-12b",
              type: "llm",
              state: "loaded",
              max_context_length: 131_072,
              loaded_context_length: 65_536,
            },
          ],
        },
      },
      seen,
    );
    const { stderr } = await fabula(["evaluate", STORY, "--judge", "local", "--method", "one-pass", "--runs", "1"], {
      LMSTUDIO_BASE_URL: `${address}/v1`,
    });
    expect(stderr).toContain("The local judge is lmstudio:gemma-3-12b (LM Studio, context of 65,536 tokens).");
    expect(JSON.parse(seen[0]!).response_format.type).toBe("json_schema");
  });

  it("knows the context of a model file from its header, and refuses a close reading that cannot fit", async () => {
    const library = join(folder, "node_modules", "node-llama-cpp");
    await mkdir(library, { recursive: true });
    await writeFile(join(library, "package.json"), '{ "name": "node-llama-cpp", "main": "index.js" }');
    await writeFile(join(library, "index.js"), "throw new Error('loaded')");
    await writeFile(join(folder, "tiny.gguf"), ggufHeader({ context: 2048, size: "1.1B" }));
    const environment = { FABULA_LLAMA: folder };
    const closely = await fabula(["evaluate", STORY, "--judge", "local"], environment);
    expect(closely.stderr).toMatch(
      /tiny\.gguf \(node-llama-cpp, context of 2,048 tokens\).*it has 1\.1 billion parameters/,
    );
    expect(closely.stderr).toMatch(
      /^fabula: llama:.* takes 2,048 tokens at a time, too few for a close reading: give/m,
    );
    expect(closely.code).toBe(1);
    const words = ["evaluate", STORY, "--judge", "local", "--method", "summary", "--aspects", "plot", "--dry-run"];
    const plan = await fabula(words, environment);
    expect(plan.stdout).toMatch(/The run would make \d\d calls/);
    expect(plan.stdout + plan.stderr).not.toContain("does not fit");
  });

  it("takes a plain server at one of the usual ports, by its address", async () => {
    const seen: string[] = [];
    const address = await serving({ "/v1/models": { data: [{ id: "bge-embed" }, { id: "mixtral-8x22b" }] } }, seen);
    const words = ["evaluate", STORY, "--judge", "local", "--method", "one-pass", "--runs", "1", "--json"];
    const { stdout, stderr } = await fabula(words, { VLLM_BASE_URL: `${address}/v1` });
    expect(stderr).toContain(`The local judge is mixtral-8x22b@${address}/v1 (a server at 127.0.0.1:`);
    expect(JSON.parse(stdout).judge).toBe(`mixtral-8x22b@${address}/v1`);
    expect(seen).not.toHaveLength(0);
  });

  it("says what to pull when Ollama has no model", async () => {
    const address = await serving({ "/api/tags": { models: [] } });
    const { code, stderr } = await fabula(["evaluate", STORY, "--judge", "local"], { OLLAMA_HOST: address });
    expect(stderr).toMatch(/^fabula: Ollama runs here and has no model that can judge: run `ollama pull qwen3:14b`/m);
    expect(code).toBe(1);
  });

  it("says what to start when nothing runs", async () => {
    const { code, stderr } = await fabula(["evaluate", STORY, "--judge", "local"]);
    expect(stderr).toMatch(
      /^fabula: No model runs on this machine: start Ollama.* MODEL@http:\/\/127\.0\.0\.1:PORT\/v1/m,
    );
    expect(code).toBe(1);
  });
});

describe("setup", () => {
  it("says which default is set, and that a saved judge cannot be asked yet", async () => {
    expect((await fabula(["setup"])).stdout).toContain("No default is set: the embedded jury judges");
    const saved = await fabula(["setup", "--judge", "ollama:qwen3"]);
    expect(saved.stdout).toContain("ollama:qwen3 judges from now on, unless --judge names another");
    expect(saved.stderr).toMatch(/It is saved, but it cannot be asked yet: .*ollama/i);
    const address = await serving(OLLAMA);
    const missing = await fabula(["setup", "--judge", "ollama:qwen3"], { OLLAMA_HOST: address });
    expect(missing.stderr).toContain("Ollama does not have it: run `ollama pull qwen3`.");
    const there = await fabula(["setup", "--judge", "ollama:large:14b"], { OLLAMA_HOST: address });
    expect(there.stdout).toContain("ollama:large:14b judges from now on, instead of ollama:qwen3, unless");
    expect(there.stderr).not.toContain("cannot be asked");
    expect((await fabula(["setup"], { OLLAMA_HOST: address })).stdout).toContain("Your default is ollama:large:14b.");
    const unknown = await fabula(["setup", "--judge", "command:no-such-program -p"]);
    expect(unknown.stderr).toContain('there is no program "no-such-program" on the path');
  });

  it("finds models, programs and keys, shows the cost of trying them, and says what to do without a terminal", async () => {
    const address = await serving(OLLAMA);
    await mkdir(join(folder, "bin"));
    const program = join(folder, "bin", "llm");
    await writeFile(
      program,
      `#!${process.execPath}\nprocess.stdin.resume().on("end", () => console.log('{"letters": 5}'));\n`,
    );
    await chmod(program, 0o755);
    const environment = { OLLAMA_HOST: address, OPENAI_API_KEY: "any", OPENAI_BASE_URL: `${models.url}/v1` };
    const { code, stdout, stderr } = await fabula(["setup", "--test"], environment);
    expect(stdout).toMatch(/1\. ollama:large:14b\n.*on this machine.*answered in/);
    expect(stdout).toMatch(/\d\. command:llm\n.*your own account pays; answered in/);
    expect(stdout).toMatch(/\d\. openai:gpt-4\.1\n.*a key for OpenAI is set; answered in/);
    expect(stderr).toMatch(/Asking openai:gpt-4\.1 one short question \(at most \$0\.0\d+\)/);
    expect(stderr).toContain("Asking command:llm one short question (covered by your own account)");
    expect(stdout).toContain("fabula setup --judge 'ollama:large:14b'");
    expect(code).toBe(0);
    const doctor = await fabula(["doctor"], environment);
    for (const judge of ["ollama:large:14b", "command:llm", "openai:gpt-4.1"]) expect(doctor.stdout).toContain(judge);
  });

  it("saves the choice in the user's own settings and keeps what else is there", async () => {
    const file = join(folder, "config", "fabula", "fabula.config.yaml");
    await mkdir(join(folder, "config", "fabula"), { recursive: true });
    await writeFile(file, "# mine\nlimits:\n  maxCost: 2\n");
    const address = await serving(OLLAMA);
    const saved = await fabula(["setup", "--judge", "ollama:large:14b", "--json"], { OLLAMA_HOST: address });
    expect(JSON.parse(saved.stdout)).toMatchObject({ default: "ollama:large:14b", settings: file });
    expect(await readFile(file, "utf8")).toBe("# mine\nlimits:\n  maxCost: 2\njudge: ollama:large:14b\n");
    const { stdout } = await fabula(["evaluate", STORY, "--dry-run"], { OLLAMA_HOST: address });
    expect(stdout).toMatch(/The run would make \d+ calls/);
    const wrong = await fabula(["setup", "--judge", "no-such-judge"]);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('"no-such-judge" is not a judge') });
  });

  it.runIf(process.platform === "linux")(
    "asks at a terminal which judge to take, tries it out and saves it",
    async () => {
      const address = await serving(OLLAMA);
      // `script` gives the command a terminal, as a person has.
      const child = spawn(
        "/usr/bin/script",
        ["-qec", `${process.execPath} ${resolve("dist/cli/main.js")} setup`, "/dev/null"],
        {
          cwd: folder,
          env: { ...process.env, ...ownEnvironment(), OLLAMA_HOST: address, NO_COLOR: "1" },
        },
      );
      // It may be over before the last words are read.
      const closed = once(child, "close");
      let shown = "";
      child.stdout.setEncoding("utf8").on("data", (words: string) => {
        shown += words;
      });
      const isShown = (words: RegExp) => expect.poll(() => shown, { timeout: 60_000 }).toMatch(words);
      await isShown(/Which one should judge\?/);
      child.stdin.write("9\n");
      await isShown(/Type a number from 1 to \d/);
      child.stdin.write("1\n");
      await isShown(/Ask it one short question first \(.*\)\? \[Y\/n\]/);
      child.stdin.write("\n");
      await isShown(/It works: .*ollama:large:14b judges from now on/s);
      await closed;
      expect(await readFile(join(folder, "config", "fabula", "fabula.config.yaml"), "utf8")).toBe(
        "judge: ollama:large:14b\n",
      );
    },
  );

  it.runIf(process.platform === "linux")("ends quietly when Ctrl-C is pressed at its question", async () => {
    const address = await serving(OLLAMA);
    const child = spawn(
      "/usr/bin/script",
      ["-qec", `${process.execPath} ${resolve("dist/cli/main.js")} setup`, "/dev/null"],
      { cwd: folder, env: { ...process.env, ...ownEnvironment(), OLLAMA_HOST: address, NO_COLOR: "1" } },
    );
    const closed = once(child, "close");
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (words: string) => {
      shown += words;
    });
    await expect.poll(() => shown, { timeout: 60_000 }).toMatch(/Which one should judge\?/);
    child.stdin.write("\u0003");
    await closed;
    expect(shown).not.toContain("unexpected");
    expect(shown).toContain("Stopping.");
  });

  it("says every way to a first judge on a bare machine", async () => {
    const { code, stdout } = await fabula(["setup"]);
    for (const way of ["--judge paste", "--judge local", "command:", "OPENAI_API_KEY", "fabula mcp"])
      expect(stdout).toContain(way);
    expect(code).toBe(0);
  });
});
