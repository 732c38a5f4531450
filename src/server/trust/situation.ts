import type { EvaluationRequest } from "../../api/jobs.ts";
import type { Services } from "../services.ts";

/** A judge of an evaluation, and what of the library it and others have judged. */
export interface Situation {
  readonly services: Services;
  /** The evaluation that is looked at, as it would be asked for again. */
  readonly request: EvaluationRequest;
  /** Books that this judge judged more than once, and at all. */
  readonly repeated: ReadonlySet<string>;
  readonly judged: ReadonlySet<string>;
  /** Other judges with the books they judged, the busiest first. */
  readonly others: readonly { readonly judge: string; readonly judged: ReadonlySet<string> }[];
}
