// What a newcomer does in the first minute, from the packed package in an empty folder: demo, evaluate, JSON, CSV, a limit that fails
// a build, an assistant over MCP, and the library with a simulated provider. Exits 1 at the first thing that goes wrong.
//   node scripts/newcomer.mjs [NODE]            NODE: another Node than this one
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { installPacked } from "./install-packed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = process.argv[2] ?? process.execPath;
const folder = mkdtempSync(join(tmpdir(), "fabula-newcomer-"));
const environment = { ...process.env, NO_COLOR: "1", FABULA_STORE: join(folder, "calls.db") };
const started = performance.now();

try {
  const { installed, packages, bytes } = step("install from the tarball", () => installPacked(folder));
  console.log(`  ${packages} packages, ${(bytes / 1e6).toFixed(0)} MB`);
  const command = join(installed, "dist", "cli", "main.js");
  const story = join("node_modules", "fabula", "assets", "examples", "the-inspector-of-weights.md");
  const fabula = (...words) => {
    const { status, stdout, stderr } = spawnSync(node, [command, ...words], {
      cwd: folder,
      env: environment,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    return { status, stdout, stderr };
  };

  step("fabula demo", () => {
    expectStatus(fabula("demo"), [0, 3]);
    expect(existsSync(join(folder, "fabula-report.html")), "the report is there");
  });
  step("fabula evaluate --json fits its schema", () => {
    const { stdout } = expectStatus(fabula("evaluate", story, "--json"), [0, 3]);
    const document = JSON.parse(stdout);
    const validate = validatorFor(installed, document.schema);
    expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3)));
    expect(document.evaluations.length === 1, "one evaluation");
  });
  step("fabula evaluate --out scores.csv, with a limit that fails", () => {
    const { stderr } = expectStatus(
      fabula(
        "evaluate",
        story,
        "--quiet",
        "--out",
        "scores.csv",
        "--fail-below",
        "editor=9.9",
        "--strict",
        "--junit",
        "checks.xml",
      ),
      [1],
    );
    expect(stderr.includes("editor is"), `the limit is named: ${stderr}`);
    const [header, ...rows] = readFileSync(join(folder, "scores.csv"), "utf8").trim().split("\n");
    expect(header.startsWith("file,title,") && rows.length >= 9, "a header and a row per aspect");
    expect(readFileSync(join(folder, "checks.xml"), "utf8").includes("<failure"), "the failure is in the JUnit file");
  });
  await step("fabula mcp: handshake and one call", async () => {
    const transport = new StdioClientTransport({
      command: node,
      args: [command, "mcp", "--folder", join(installed, "assets", "examples")],
      cwd: folder,
    });
    const client = new Client({ name: "newcomer", version: "1.0.0" });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.length >= 7, `seven tools: ${tools.map(({ name }) => name)}`);
    const result = await client.callTool({ name: "read_book", arguments: { book: "the-inspector-of-weights.md" } });
    expect(result.content[0].text.includes("The Inspector of Weights"), "the book is read");
    await client.close();
  });
  step("the examples in JavaScript", () => {
    cpSync(join(root, "examples"), folder, { recursive: true });
    for (const example of readdirSync(folder).filter((name) => name.endsWith(".mjs"))) {
      execFileSync(node, [example], { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    }
  });
  console.log(`All of it took ${((performance.now() - started) / 1000).toFixed(0)} s on Node ${versionOf(node)}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error?.stderr) console.error(String(error.stderr).slice(-2000));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function step(name, work) {
  const begun = performance.now();
  const done = (result) => {
    console.log(`✓ ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return result;
  };
  const failed = (error) => {
    error.message = `✗ ${name}: ${error.message}`;
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.then(done, failed) : done(result);
  } catch (error) {
    return failed(error);
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function expectStatus(finished, allowed) {
  expect(allowed.includes(finished.status), `exit ${finished.status}: ${finished.stderr}`);
  return finished;
}

function validatorFor(installed, schema) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile(JSON.parse(readFileSync(join(installed, "assets", "schemas", `${schema}.json`), "utf8")));
}

function versionOf(program) {
  return execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
}
