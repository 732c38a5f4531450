import type { EvaluationRequest } from "./jobs.ts";

export const TRUST_CHECKS = [
  "repeatability",
  "length-bias",
  "position-bias",
  "self-preference",
  "contamination",
  "stress",
  "agreement",
] as const;
export type TrustCheckName = (typeof TRUST_CHECKS)[number];

/** GET /api/evaluations/:id/trust → TrustPanel[]: what is known of each judge that spoke in an evaluation. */
export interface TrustPanel {
  readonly judge: string;
  readonly name: string;
  readonly checks: readonly TrustCheck[];
}

/** `unknown`: not measured. `none`: does not apply to this judge. */
export type TrustState = "sound" | "watch" | "problem" | "unknown" | "none";

export interface TrustCheck {
  readonly check: TrustCheckName;
  readonly state: TrustState;
  readonly n: number;
  readonly figure: {
    readonly value: number;
    readonly interval: readonly [number, number] | null;
    /** A share is shown in percent. */
    readonly isShare: boolean;
  } | null;
  /** One sentence in English. */
  readonly detail: string;
  /** Where the figure comes from: this library's evaluations, blind votes, a result that was put into it, or a juror's card. */
  readonly source: "library" | "votes" | "file" | "card" | null;
  /** What measures it on the command line. */
  readonly command: string | null;
  /** Evaluations that would measure it, to be started here; none where only the command line can. */
  readonly requests: readonly EvaluationRequest[];
  /** Whether what measuring it would ask and cost can be asked for. */
  readonly canPlan: boolean;
}

/** POST /api/evaluations/:id/trust/plans → EvaluationPlan: what measuring it would ask and cost; nothing is sent. */
export interface TrustPlanRequest {
  /** Of the panel. */
  readonly name: string;
  readonly check: TrustCheckName;
}
