// The work of action.yml: evaluates the manuscripts that a change touches, and writes the reports as the job's summary.
// Everything comes from the environment, as GitHub sets it; FABULA_COMMAND names another command than `npx fabula`, for tests.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";

const LONGEST_SUMMARY = 900_000;
const input = (name) => (process.env[`INPUT_${name}`] ?? "").trim();

const files = manuscripts();
if (files.length === 0) {
  write("GITHUB_STEP_SUMMARY", "Fabula: no manuscript was changed.\n");
} else {
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), "fabula-action-"));
  let failed = false;
  const documents = [];
  for (const [at, file] of files.entries()) {
    const report = join(folder, `${at}.md`);
    const { status, stdout, stderr } = evaluate(file, report);
    process.stderr.write(stderr);
    if (status !== 0) failed = true;
    if (stdout) documents.push(...JSON.parse(stdout).evaluations);
    const letter = existsSync(report) ? readFileSync(report, "utf8") : "";
    const verdict = status === 0 ? "" : `> **Failed.** ${stderr.trim().split("\n").join(" ")}\n\n`;
    write("GITHUB_STEP_SUMMARY", `${verdict}${letter}\n`);
  }
  const all = join(folder, "evaluations.json");
  appendFileSync(all, JSON.stringify({ evaluations: documents }));
  write("GITHUB_OUTPUT", `report=${all}\n`);
  if (failed) process.exitCode = 1;
}

function evaluate(file, report) {
  const own = process.env.FABULA_COMMAND;
  const [command, ...before] = own ? JSON.parse(own) : ["npx", "--yes", `fabula@${input("VERSION") || "latest"}`];
  const given = (flag, value) => (value === "" ? [] : [flag, value]);
  const words = [
    ...["evaluate", file, "--json", "--quiet", "--out", report],
    ...given("--judge", input("JUDGE")),
    ...given("--max-cost", input("MAX_COST")),
    ...given("--fail-below", input("FAIL_BELOW")),
    ...(input("STRICT") === "true" ? ["--strict"] : []),
    ...given("--fail-above", input("FAIL_ABOVE")),
    ...given("--baseline", input("BASELINE")),
    ...given("--tolerate", input("TOLERATE")),
  ];
  return spawnSync(command, [...before, ...words], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The files of the repository that fit the patterns, and of them those that the change touches, as far as that is known. */
function manuscripts() {
  const patterns = input("FILES")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const git = (...words) => execFileSync("git", words, { encoding: "utf8" }).split("\0").filter(Boolean);
  const base = (process.env.BASE_SHA ?? "").trim();
  const isKnown = base !== "" && !/^0+$/.test(base) && spawnSync("git", ["cat-file", "-e", base]).status === 0;
  const listed =
    input("ALL") === "true" || !isKnown
      ? git("ls-files", "-z")
      : git("diff", "--name-only", "--diff-filter=AMR", "-z", `${base}...HEAD`);
  return listed.filter((file) => existsSync(file) && patterns.some((pattern) => fits(file, pattern)));
}

/** A name that starts with a hyphen would be read as a flag. */
function fits(file, pattern) {
  return !file.startsWith("-") && matchesGlob(file, pattern);
}

function write(variable, text) {
  const file = process.env[variable];
  if (file) appendFileSync(file, text.slice(0, LONGEST_SUMMARY));
  else process.stdout.write(text);
}
