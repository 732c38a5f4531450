import { createRequire } from "node:module";
import { FabulaError } from "../errors.ts";

/** A package that not everyone needs: an optional peer in `package.json`. */
export interface OptionalPackage {
  readonly name: string;
  /** What needs it, as a sentence begins: "An OpenAI judge". */
  readonly purpose: string;
  /** What to install, with its version. */
  readonly install: string;
}

const POSTGRES = ["pg", "pg-copy-streams"].map(
  (name): OptionalPackage => ({ name, purpose: "A store in PostgreSQL", install: "pg@8 pg-copy-streams@7" }),
);

/** The error that says which package to install, when that is why a module could not be loaded; otherwise what was thrown. */
export function explainMissingPackage(cause: unknown, optional: readonly OptionalPackage[] = POSTGRES): unknown {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) return cause;
  const [, name] = /Cannot find (?:package|module) '([^']+)'/.exec(cause.message) ?? [];
  const missing = optional.find((one) => one.name === name);
  return missing ? new FabulaError("E_PACKAGE_MISSING", explanation(missing), { cause }) : cause;
}

/** What to install before something that needs this package can work; null when it is there. */
export function missingPackage(needed: OptionalPackage): string | null {
  try {
    createRequire(import.meta.url).resolve(needed.name);
    return null;
  } catch {
    return explanation(needed);
  }
}

function explanation({ name, purpose, install }: OptionalPackage): string {
  return `${purpose} needs the package ${name}, which is not installed: run \`npm install ${install}\` where Fabula is installed.`;
}

/** Loads something that needs such a package; the drivers of PostgreSQL unless another is named. */
export async function withOptionalPackage<Loaded>(
  load: () => Promise<Loaded>,
  ...optional: readonly OptionalPackage[]
): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    throw explainMissingPackage(cause, optional.length > 0 ? optional : POSTGRES);
  }
}
