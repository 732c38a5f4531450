import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("a newcomer gets through the first minute with the packed package in an empty folder", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/newcomer.mjs"], { maxBuffer: 1 << 24 });
  expect(stdout.match(/^✓ /gm)).toHaveLength(6);
  const [, megabytes] = /packages, (\d+) MB/.exec(stdout) ?? [];
  expect(Number(megabytes)).toBeLessThan(80);
}, 600_000);
