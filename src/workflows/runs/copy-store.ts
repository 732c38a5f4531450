import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { type Comparison, compareContents } from "../../store/compare-contents.ts";
import { type CopyCounts, type CopyServices, copyContents } from "../../store/copy-contents.ts";
import { isPostgres, withoutPassword } from "../../store/postgres/address.ts";
import { withStore } from "./past-runs.ts";

export interface CopiedStore {
  readonly from: string;
  readonly to: string;
  readonly copied: CopyCounts;
  /** Null when it was not asked for. */
  readonly comparison: Comparison | null;
}

/** Copies everything of one store into another, of any kind, and compares the two. */
export async function copyStore(
  { from, to, compare }: { readonly from: string; readonly to: string; readonly compare: boolean },
  services: CopyServices,
): Promise<CopiedStore> {
  if (!isPostgres(from) && !existsSync(from)) {
    throw new FabulaError("E_STORE_MISSING", `There is no store at ${from}: give the one to copy with --from.`);
  }
  if (nameOf(from) === nameOf(to)) {
    throw new FabulaError(
      "E_STORE_SAME",
      `--from and --to are both ${withoutPassword(from)}: give another store to one.`,
    );
  }
  return withStore(from, (source) =>
    withStore(to, async (target) => {
      const copied = await copyContents(source, target, services).catch((error: unknown) => {
        throw services.signal.aborted ? interrupted(error) : error;
      });
      const comparison = compare ? await compareContents(source, target, services) : null;
      if (comparison && comparison.differences > 0) throw differ(comparison, target.location);
      return { from: source.location, to: target.location, copied, comparison };
    }),
  );
}

function interrupted(cause: unknown): FabulaError {
  return new FabulaError(
    "E_INTERRUPTED",
    "Interrupted: what was copied stays, and the same command continues from there.",
    {
      cause,
    },
  );
}

function nameOf(location: string): string {
  return isPostgres(location) ? location : resolve(location);
}

function differ({ differences, different, digests, rows }: Comparison, target: string): FabulaError {
  return new FabulaError(
    "E_COPY_DIFFERS",
    `${differences} of ${rows} rows are missing in ${target} or differ there, such as ${different[0]}: if a run was writing meanwhile, copy again when it has ended.`,
    { evidence: { different, digests } },
  );
}
