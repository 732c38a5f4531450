import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}

/** What axe finds serious or critical on the page as it stands, one line for each place. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so that the page keeps its content security policy.
  await page.evaluate(`window.axe || (() => { ${source} })()`);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResult;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = "" }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
    );
}
