import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds serious or critical on the page as it stands, one line for each place; all its rules unless some are named. */
export async function seriousProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, so that the page keeps its content security policy.
  await page.evaluate(`window.axe || (() => { ${axe.source} })()`);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults;
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
