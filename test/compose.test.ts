import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
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

async function expectKnown([name = "", ...words]: readonly string[]): Promise<void> {
  const entry = ROOT.members[name];
  if (!entry || isGroup(entry)) throw new Error(`there is no command "${name}"`);
  const known = await entry.load();
  expect(parseInvocation(name, known.flags, words).operands).toEqual([]);
}

it("every command that compose.yaml gives to Fabula is one that it takes", async () => {
  const ours = Object.entries(services).filter(([, { image }]) => image === "fabula");
  expect(ours.map(([name]) => name).sort()).toEqual(["server", "worker"]);
  for (const [, { command, environment }] of ours) {
    await expectKnown(command);
    expect(environment.FABULA_STORE).toMatch(/^postgres:\/\/fabula@postgres:5432\/fabula$/);
  }
});

const deploymentSchema = z.object({
  kind: z.literal("Deployment"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number().optional(),
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), valueFrom: z.object({}) })),
          }),
        ),
      }),
    }),
  }),
});
const scaledSchema = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.object({ scaleTargetRef: z.object({ name: z.string() }), minReplicaCount: z.literal(0) }),
});

it("every command in the manifest for Kubernetes is one that Fabula takes, and what KEDA scales is described there", async () => {
  const documents = parseAllDocuments(readFileSync("examples/deploy/kubernetes.yaml", "utf8"), { merge: true }).map(
    (one) => one.toJS() as unknown,
  );
  const deployments = documents.flatMap((one) => deploymentSchema.safeParse(one).data ?? []);
  for (const { spec } of deployments)
    for (const { args, env } of spec.template.spec.containers) {
      await expectKnown(args);
      expect(env.map(({ name }) => name)).toContain("FABULA_STORE");
    }
  const scaled = documents.flatMap((one) => scaledSchema.safeParse(one).data ?? []);
  expect(scaled).toHaveLength(1);
  // A number of its own would undo what KEDA decides at every update.
  const target = deployments.find(({ metadata }) => metadata.name === scaled[0]!.spec.scaleTargetRef.name);
  expect(target?.spec.replicas).toBeUndefined();
  expect(deployments).toHaveLength(2);
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
