import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesFromTasks } from "../scripts/from-tasks.ts";

it("what follows from the definitions of tasks is current: `npm run tasks` writes it", async () => {
  const files = await filesFromTasks();
  expect(files.size).toBeGreaterThan(10);
  for (const [file, text] of files) expect(readFileSync(file, "utf8"), file).toBe(text);
});

it("definitions stand in the file of the same name as their command; every other file of a group does the work", () => {
  const definitions = readdirSync("src/tasks", { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.startsWith("define") && /= defineTask\(/.test(sourceOf(join("src/tasks", file))),
  );
  expect(definitions.length).toBeGreaterThan(10);
  for (const file of definitions) expect(existsSync(join("src/cli/commands", file)), file).toBe(true);
});

function sourceOf(path: string): string {
  return path.endsWith(".ts") ? readFileSync(path, "utf8") : "";
}
