import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds serious or critical on the page as it stands, one line for each place. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that the page keeps its content security policy.
  await page.evaluate(`window.axe || (() => { ${axe.source} })()`);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as axe.AxeResults;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = "" }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
    );
}
