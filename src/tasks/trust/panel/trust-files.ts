import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { TrustCheck } from "../../../api/trust.ts";
import { checkDamage } from "../../../stats/judge-health/judge-health.ts";
import { CHECK_NAMES } from "../../../stats/judge-health/judgement.ts";
import { readReactions } from "../read-judgements.ts";

/** The folder of a library for results of the command line that are shown beside the verdicts. */
export const TRUST_FOLDER = "trust";

const range = z.tuple([z.number(), z.number()]).nullable();
const comparisonSchema = z.object({
  judge: z.string(),
  positionBias: z.object({ decisions: z.number(), bias: z.number().nullable(), interval: range }),
});
const probeSchema = z.object({
  judge: z.string(),
  title: z.string(),
  variants: z.array(z.object({ variant: z.string(), recognition: z.object({ recognised: z.boolean() }).nullable() })),
  gaps: z.array(z.object({ points: z.number(), interval: range, beyondNoise: z.boolean() })),
});
const healthSchema = z.object({
  judges: z.array(
    z.object({
      judge: z.string(),
      findings: z.array(
        z.object({
          check: z.enum(CHECK_NAMES),
          state: z.enum(["sound", "watch", "problem", "unknown"]),
          n: z.number(),
          figure: z.object({ value: z.number(), interval: range }).nullable(),
          message: z.string(),
        }),
      ),
    }),
  ),
});

/** What one file says about one judge. */
export interface FiledCheck {
  readonly judge: string;
  readonly check: TrustCheck;
}

const FILE = { source: "file", command: null, requests: [], canPlan: false } as const;
const TOLERATED_BIAS = 0.05;

/** Reads the `--json` output of `compare`, `probe`, `stress` and `health`; other files are ignored. */
export async function readTrustFiles(folder: string): Promise<FiledCheck[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  const found = await Promise.all(files.map((name) => readResult(join(folder, name)).catch(() => [])));
  return found.flat();
}

async function readResult(path: string): Promise<FiledCheck[]> {
  const document: unknown = JSON.parse(await readFile(path, "utf8"));
  const comparison = comparisonSchema.safeParse(document);
  if (comparison.success) return [positionCheck(comparison.data)];
  const probe = probeSchema.safeParse(document);
  if (probe.success) return [probeCheck(probe.data)];
  const health = healthSchema.safeParse(document);
  if (health.success) return selfPreference(health.data);
  const reactions = await readReactions(path);
  const judge = reactions[0]?.judge;
  if (judge === undefined) return [];
  const { state, n, figure, message } = checkDamage(reactions);
  return [{ judge, check: { check: "stress", state, n, figure: shareOf(figure), detail: message, ...FILE } }];
}

function positionCheck({ judge, positionBias }: z.infer<typeof comparisonSchema>): FiledCheck {
  const { decisions, bias, interval } = positionBias;
  const isClear = interval !== null && (interval[0] > 0 || interval[1] < 0);
  const isFar = bias !== null && Math.abs(bias) > TOLERATED_BIAS;
  return {
    judge,
    check: {
      check: "position-bias",
      n: decisions,
      ...FILE,
      state: bias === null ? "unknown" : isFar && isClear ? "problem" : isFar ? "watch" : "sound",
      figure: bias === null ? null : { value: bias, interval, isShare: true },
      detail:
        "Share of decisions for the book shown first, less one half; every book was shown first as often as second.",
    },
  };
}

function probeCheck({ judge, title, variants, gaps }: z.infer<typeof probeSchema>): FiledCheck {
  const isKnown = variants.some(({ variant, recognition }) => variant === "original" && recognition?.recognised);
  const gap = gaps[0];
  const isMoved = gaps.some(({ beyondNoise }) => beyondNoise);
  return {
    judge,
    check: {
      check: "contamination",
      n: variants.length,
      ...FILE,
      state: isMoved ? "problem" : isKnown ? "watch" : "sound",
      figure: gap ? { value: gap.points, interval: gap.interval, isShare: false } : null,
      detail: `${title}: ${isKnown ? "recognised" : "not recognised"}; points by which the original is scored above a version without its names.`,
    },
  };
}

function selfPreference({ judges }: z.infer<typeof healthSchema>): FiledCheck[] {
  return judges.flatMap(({ judge, findings }) => {
    const found = findings.find(({ check, state }) => check === "self-preference" && state !== "unknown");
    if (!found) return [];
    const { state, n, figure, message } = found;
    const shown = figure && { ...figure, isShare: false };
    return [{ judge, check: { check: "self-preference" as const, state, n, figure: shown, detail: message, ...FILE } }];
  });
}

function shareOf(figure: { readonly value: number; readonly interval: readonly [number, number] | null } | null) {
  return figure && { value: figure.value, interval: figure.interval, isShare: true };
}
