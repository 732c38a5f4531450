import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical on the page as it stands, one line for each place; all its rules unless some are named. */
export async function seriousProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, so that the page keeps its content security policy.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // Only an experimental rule reads stylesheets as files, which a page from a disk does not allow.
  const options = { preload: false, resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = "" }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
    );
}

/** The same in light and dark. In the dark the same elements have other colours, and nothing else changes. */
export async function seriousProblemsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const problems = await seriousProblems(page);
  await page.emulateMedia({ colorScheme: "dark" });
  problems.push(...(await seriousProblems(page, ["color-contrast"])).map((problem) => `in the dark: ${problem}`));
  await page.emulateMedia({ colorScheme: null });
  return problems;
}
