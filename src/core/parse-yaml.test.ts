import { expect, it } from "vitest";
import { parseYaml } from "./parse-yaml.ts";

it("reads odd YAML without printing any of it, and refuses aliases", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on("warning", hear);
  expect(parseYaml("&itle: \u009b2J")).toBe("\u009b2J");
  await new Promise(setImmediate);
  process.off("warning", hear);
  expect(warnings).toEqual([]);
  expect(() => parseYaml("a: &a [1]\nb: *a")).toThrow();
});
