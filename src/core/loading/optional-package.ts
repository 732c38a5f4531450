import { createRequire } from "node:module";
import { FabulaError } from "../errors.ts";

/** Packages that not everyone needs, what needs them, and what to install. They are optional peers in `package.json`. */
const OPTIONAL: Readonly<Record<string, { readonly purpose: string; readonly install: string }>> = {
  "@ai-sdk/openai": { purpose: "An OpenAI judge", install: "@ai-sdk/openai@3" },
  "@ai-sdk/anthropic": { purpose: "An Anthropic judge", install: "@ai-sdk/anthropic@3" },
  "@ai-sdk/google": { purpose: "A Google judge", install: "@ai-sdk/google@3" },
  pg: { purpose: "A store in PostgreSQL", install: "pg@8 pg-copy-streams@7" },
  "pg-copy-streams": { purpose: "A store in PostgreSQL", install: "pg@8 pg-copy-streams@7" },
};

/** The error that says which package to install, when that is why a module could not be loaded; otherwise what was thrown. */
export function explainMissingPackage(cause: unknown): unknown {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) return cause;
  const [, missing = ""] = /Cannot find (?:package|module) '([^']+)'/.exec(cause.message) ?? [];
  return OPTIONAL[missing] ? new FabulaError("E_PACKAGE_MISSING", explanation(missing), { cause }) : cause;
}

/** What to install before something that needs this package can work; null when it is there. */
export function missingPackage(name: string): string | null {
  try {
    createRequire(import.meta.url).resolve(name);
    return null;
  } catch {
    return explanation(name);
  }
}

function explanation(missing: string): string {
  const { purpose, install } = OPTIONAL[missing]!;
  return `${purpose} needs the package ${missing}, which is not installed: run \`npm install ${install}\` where Fabula is installed.`;
}

/** Loads something that may need such a package. */
export async function withOptionalPackage<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    throw explainMissingPackage(cause);
  }
}
