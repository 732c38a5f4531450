import type { TitledTable } from "./evaluations.ts";
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

/** GET /api/evaluations/:id/trust → TrustPanel[]: what is known about each judge of an evaluation. */
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
    /** Whether it is a share, shown in percent. */
    readonly isShare: boolean;
  } | null;
  /** One sentence in English. */
  readonly detail: string;
  /**
   * Where the figure comes from: this library's evaluations, blind votes, a result file in the library, or a juror's
   * card.
   */
  readonly source: "library" | "votes" | "file" | "card" | null;
  /** The command that measures it. */
  readonly command: string | null;
  /** Evaluations that would measure it and can be started here; empty if only the command line can. */
  readonly requests: readonly EvaluationRequest[];
  /** Whether the calls and cost of measuring it can be planned. */
  readonly canPlan: boolean;
}

/** A figure with its 95 % interval; null if it does not exist. */
export interface TrustFigure {
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
}

/** POST /api/trust (a form with a table and the names of its columns) → TrustAnswer: what `fabula trust` says of it, in English. */
export interface TrustAnswer {
  readonly answer: readonly string[];
  readonly notes: readonly string[];
  readonly tables: readonly TitledTable[];
  readonly warnings: readonly string[];
  /** The agreement of one person with the mean of the others. */
  readonly people: TrustFigure;
  readonly judges: readonly {
    readonly judge: string;
    /** With the mean of all raters, and with the mean of all but one. */
    readonly spearman: TrustFigure;
    readonly besidePeople: TrustFigure;
  }[];
}

/** POST /api/evaluations/:id/trust/plans → EvaluationPlan: what measuring it would ask and cost; nothing is sent. */
export interface TrustPlanRequest {
  /** The name of the panel. */
  readonly name: string;
  readonly check: TrustCheckName;
}
