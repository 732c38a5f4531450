import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const ALLOWED = new Set([
  "(AFL-2.1 OR BSD-3-Clause)",
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "MIT-0",
]);

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), hasInstallScript: z.boolean().optional() }).loose(),
  ),
});
const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) });
const billSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.object({ component: z.object({ name: z.literal("fabula") }) }),
  components: z.array(z.object({ name: z.string(), version: z.string() })).min(10),
});

it("no library that a user installs runs a script while it is installed", () => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
  expect(installed.length).toBeGreaterThan(20);
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
});

describe("what is written at pack", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fabula-supply-chain-"));
    execFileSync(process.execPath, ["scripts/supply-chain.mjs", folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("lists every library the package needs, in a bill of materials", () => {
    const { components } = billSchema.parse(JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8")));
    const listed = new Set(components.map(({ name }) => name));
    const { dependencies } = packageSchema.parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([]);
  });

  it("names a licence for each that lets it be used with ours", () => {
    const rows = [...readFileSync(join(folder, "licences.md"), "utf8").matchAll(/^\| (\S+) \| \d\S* \| (.+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(([, , licence = ""]) => !ALLOWED.has(licence)).map(([row]) => row)).toEqual([]);
  });
});
