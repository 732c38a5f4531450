import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});

it("the lock file holds the packages of every platform, so that `npm ci` works on all of them", () => {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const installed = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !installed.has(name));
  expect(missing).toEqual([]);
});
