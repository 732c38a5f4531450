import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { isGroup, parseInvocation } from "../src/cli/command.ts";
import { ROOT } from "../src/cli/registry.ts";

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
});

/** No Docker is needed to see that what it would be told makes sense; whether it then runs is another matter. */
const { services, volumes } = composeSchema.parse(parse(readFileSync("compose.yaml", "utf8"), { merge: true }));

it("every command that compose.yaml gives to Fabula is one that it takes", async () => {
  const ours = Object.entries(services).filter(([, { image }]) => image === "fabula");
  expect(ours.map(([name]) => name).sort()).toEqual(["server", "worker"]);
  for (const [, { command, environment }] of ours) {
    const [name = "", ...words] = command;
    const entry = ROOT.members[name];
    if (!entry || isGroup(entry)) throw new Error(`there is no command "${name}"`);
    const { default: known } = await entry.load();
    expect(parseInvocation(name, known.flags, words).operands).toEqual([]);
    expect(environment.FABULA_STORE).toMatch(/^postgres:\/\/fabula@postgres:5432\/fabula$/);
  }
});

it("every service and volume that compose.yaml refers to is described there", () => {
  for (const { volumes: used, depends_on } of Object.values(services)) {
    for (const volume of used) expect(Object.keys(volumes)).toContain(volume.split(":")[0]);
    for (const needed of Object.keys(depends_on)) expect(Object.keys(services)).toContain(needed);
  }
});

it("the optional packages in the image are the versions of the lock file", () => {
  const [, expression] = /\$\(node -p "([^"]+)"\)/.exec(readFileSync("Dockerfile", "utf8"))!;
  const installed = execFileSync(process.execPath, ["-p", expression!], { encoding: "utf8" }).trim().split(" ");
  expect(installed.map((name) => name.replace(/@[^@]+$/, ""))).toEqual(
    expect.arrayContaining(["pg", "pg-copy-streams", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/google"]),
  );
  for (const name of installed) expect(name).toMatch(/@\d+\.\d+\.\d+$/);
});

it("everything that the Dockerfile copies from here is here", () => {
  const lines = readFileSync("Dockerfile", "utf8").split("\n");
  const copied = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => line.split(" ").slice(1, -1));
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  const main = z
    .object({ bin: z.object({ fabula: z.string() }) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  expect(lines.at(-3)).toBe(`ENTRYPOINT ["node", "/app/${main.bin.fabula}"]`);
});
