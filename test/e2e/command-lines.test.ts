import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { outputsOf, RECORDED } from "../support/command-lines.ts";

it("commands print what they printed before, to the byte", async () => {
  expect(await outputsOf()).toEqual(JSON.parse(readFileSync(RECORDED, "utf8")));
});
