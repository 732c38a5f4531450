import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseDocument } from "yaml";
import { COVERED } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files.ts";
import type { ModelConnections } from "../../../models/connection.ts";
import { connectionsFromEnvironment } from "../../../models/connection.ts";
import { parseJudgeName } from "../../../models/judge-name.ts";
import { type FoundJudge, findJudges, obstacleTo, tryOut } from "../../../tasks/runs/find-judges.ts";
import { defineCommand, isEmbedded } from "../../command.ts";
import { findConfig, setTrust } from "../../config/config-file.ts";
import { userJudges, whyNoJudge } from "../../config/user-judges.ts";
import { jsonDocument } from "../../output/write-report.ts";
import { configPaths, settingsFolder } from "../../paths.ts";
import type { Terminal } from "../../terminal.ts";

export const setupCommand = defineCommand({
  summary: "Find the judges that work here, try them out, and choose the one that judges when none is named.",
  operands: "",
  flags: {
    judge: { type: "string", value: "JUDGE", help: "save this judge as your default without asking" },
    test: {
      type: "boolean",
      help: "ask every judge that was found, or the one that --judge names, one short question; the cost is printed first",
    },
    prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES)" },
  },
  examples: ["fabula setup", "fabula setup --test", "fabula setup --judge ollama:qwen3"],
  async run({ flags, isGiven, terminal, signal }) {
    const connections = { ...connectionsFromEnvironment(process.env), ...userJudges() };
    const prices = flags.prices ?? process.env.FABULA_PRICES;
    const current =
      (await findConfig(process.cwd(), process.env)).files.find(({ isOwn }) => isOwn)?.config.judge ?? null;
    const chosen = isGiven("judge") ? flags.judge : undefined;
    if (chosen !== undefined) requireJudge(chosen, connections);
    const named = flags.test && chosen !== undefined && !isEmbedded(chosen) ? chosen : undefined;
    const found = await findJudges({ connections, prices, path: process.env.PATH ?? "", signal, named });
    const isInteractive = process.stdin.isTTY === true && !flags.json && !isGiven("judge");
    const toTest = flags.test ? found.filter(({ judge }) => chosen === undefined || judge === chosen) : [];
    const tested = await tryAll(toTest, connections, { terminal, signal });
    const noneWorks = tested.size > 0 && [...tested.values()].every(({ answers }) => !answers);
    if (flags.json) {
      const judges = found.map((judge) => ({ ...judge, test: tested.get(judge.judge) ?? null }));
      const saved = chosen === undefined || noneWorks ? null : await save(chosen);
      terminal.print(
        jsonDocument("setup", { judges, default: saved === null ? current : (chosen ?? null), settings: saved }),
      );
      return noneWorks ? 1 : 0;
    }
    terminal.print(describe(found, tested));
    if (chosen !== undefined && noneWorks) {
      terminal.note(`${chosen} does not work yet, and was not saved. Without --test it is saved all the same.`);
      return 1;
    }
    if (chosen !== undefined) {
      const path = await save(chosen);
      const before = current === null || current === chosen ? "" : `, instead of ${current}`;
      terminal.print(`${chosen} judges from now on${before}, unless --judge names another: ${path}.`);
      const obstacle = await obstacleTo(chosen, { connections, path: process.env.PATH ?? "", signal });
      if (obstacle !== null) terminal.note(`It is saved, but it cannot be asked yet: ${obstacle}`);
      return 0;
    }
    const problem = current === null ? null : whyNoJudge(current);
    terminal.print(
      current === null
        ? "No default is set: the embedded jury judges unless --judge names another.\n"
        : `Your default is ${current}.${problem === null ? "" : ` ${problem} Choose another with \`fabula setup --judge JUDGE\`.`}\n`,
    );
    if (found.length === 0) return 0;
    if (noneWorks) {
      terminal.note(
        tested.size === 1
          ? "It does not work yet: what stands behind “does not work” says what to do."
          : "None of them works yet: what stands behind “does not work” says what to do.",
      );
      return 1;
    }
    if (!isInteractive) {
      const first = recommended(found, tested);
      terminal.print(
        `Choose one with \`fabula setup --judge '${first.judge}'\`, or name it each time: \`fabula evaluate BOOK --judge '${first.judge}'\`.`,
      );
      return 0;
    }
    const judge = await chooseOne(found, connections, { terminal, signal });
    if (judge !== null) terminal.print(`${judge} judges from now on: ${await save(judge)}.`);
    return 0;
  },
});

type TestResult = Awaited<ReturnType<typeof tryOut>>;
interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

function describe(found: readonly FoundJudge[], tested: ReadonlyMap<string, TestResult>): string {
  if (found.length === 0) {
    return [
      "No language model was found. The embedded jury works without one; to have the story read, do one of these:",
      "  Chat window   fabula evaluate BOOK --judge paste           any chat, with your own account; you copy and paste",
      "  This machine  install Ollama, `ollama pull qwen3:14b`      then: fabula evaluate BOOK --judge local",
      '  A program     fabula evaluate BOOK --judge command:"llm"   any program that reads a prompt and prints a reply',
      "  A key         set OPENAI_API_KEY or another                `fabula models` lists the providers",
      "  An assistant  connect it to `fabula mcp`                   it reads your book itself",
      "",
    ].join("\n");
  }
  const rows = found.flatMap((judge, at) => {
    const test = tested.get(judge.judge);
    const result = test ? `; ${test.answers ? "" : "does not work: "}${test.detail}` : "";
    return [
      `  ${at + 1}. ${judge.judge}`,
      `     ${judge.detail.replace(/\.$/, "")}${result}`,
      ...(judge.weakness === null ? [] : [`     ${judge.weakness}`]),
    ];
  });
  return ["Judges that were found:", ...rows, ""].join("\n");
}

function recommended(found: readonly FoundJudge[], tested: ReadonlyMap<string, TestResult>): FoundJudge {
  const usable = found.filter(({ judge }) => tested.get(judge)?.answers !== false);
  return usable.find(({ weakness }) => weakness === null) ?? usable[0] ?? found[0]!;
}

async function tryAll(
  found: readonly FoundJudge[],
  connections: ModelConnections,
  { terminal, signal }: Surroundings,
): Promise<Map<string, TestResult>> {
  const results = new Map<string, TestResult>();
  for (const judge of found) {
    terminal.note(`Asking ${judge.judge} one short question (${testCostInWords(judge)})…`);
    results.set(judge.judge, await tryOut(judge.judge, connections, signal));
  }
  return results;
}

function testCostInWords({ testCost, isCovered }: FoundJudge): string {
  if (isCovered) return COVERED;
  if (testCost === null) return "cost unknown";
  return testCost === 0 ? "runs on this machine" : `at most $${testCost.toFixed(5)}`;
}

async function chooseOne(
  found: readonly FoundJudge[],
  connections: ModelConnections,
  { terminal, signal }: Surroundings,
): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While lines are read key by key, the terminal does not send the signal itself.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    for (;;) {
      const given = (
        await lines.question("Which one should judge? Its number, or Enter for none: ", { signal })
      ).trim();
      if (given === "") return null;
      const judge = found[Number(given) - 1];
      if (!judge) {
        terminal.note(`Type a number from 1 to ${found.length}.`);
        continue;
      }
      const words = `Ask it one short question first (${testCostInWords(judge)})? [Y/n] `;
      if (!/^n/i.test((await lines.question(words, { signal })).trim())) {
        const { answers, detail } = await tryOut(judge.judge, connections, signal);
        terminal.note(answers ? `It works: ${detail}.` : `It does not work: ${detail}`);
        if (!answers) continue;
      }
      return judge.judge;
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    lines.close();
  }
}

/** Refuses an unknown judge before anything is asked or saved. */
function requireJudge(judge: string, { judges = {} }: ModelConnections): void {
  if (!isEmbedded(judge) && !Object.hasOwn(judges, judge)) parseJudgeName(judge);
}

/** Writes the default to the user's settings without changing anything else in the file; returns its path. */
async function save(judge: string): Promise<string> {
  const folder = settingsFolder(process.platform, process.env);
  const path = configPaths(process.cwd(), process.env).own ?? join(folder, "fabula.config.yaml");
  const source = await readFile(path, "utf8").catch(() => "");
  const document = parseDocument(source);
  if (document.errors.length > 0)
    throw new FabulaError("E_CONFIG", `${path} is not valid YAML: correct it and try again.`);
  document.set("judge", judge);
  await writeWholeFile(path, document.toString());
  return path;
}

export const settingsTrustCommand = defineCommand({
  summary:
    "Trust the settings file of a folder: its judge, prices and store then apply. For other folders these come only from flags, the environment and your own settings.",
  operands: "[FOLDER]",
  flags: {},
  examples: ["fabula settings trust", "fabula settings trust ~/novels"],
  async run({ operands, flags, terminal }) {
    const file = await setTrust(operands[0] ?? ".", true, process.env);
    terminal.print(
      flags.json ? jsonDocument("trusted-settings", { file, trusted: true }) : `${file} counts in full from now on.`,
    );
    return 0;
  },
});

export const settingsUntrustCommand = defineCommand({
  summary: "Stop trusting the settings file of a folder: its judge, prices and store are ignored again.",
  operands: "[FOLDER]",
  flags: {},
  examples: ["fabula settings untrust ~/novels"],
  async run({ operands, flags, terminal }) {
    const file = await setTrust(operands[0] ?? ".", false, process.env);
    terminal.print(
      flags.json
        ? jsonDocument("trusted-settings", { file, trusted: false })
        : `The judge, prices and store in ${file} are ignored from now on.`,
    );
    return 0;
  },
});
