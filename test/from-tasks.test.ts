import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filesFromTasks } from "../scripts/from-tasks.ts";

it("what follows from the definitions of tasks is current: `npm run tasks` writes it", async () => {
  const files = await filesFromTasks();
  expect(files.size).toBeGreaterThan(10);
  for (const [file, text] of files) expect(readFileSync(file, "utf8"), file).toBe(text);
});
