import type { Clock } from "../../core/clock.ts";
import type { BatchModel } from "../../models/batch/batch-model.ts";
import type { Store } from "../../store/store.ts";
import type { Interruption } from "../interruption.ts";
import type { RunnerListener } from "../runner-event.ts";

/** What a batcher needs: the model it asks, and where it keeps what it submitted. */
export interface BatcherOptions {
  readonly modelId: string;
  readonly model: BatchModel;
  readonly store: Store;
  readonly runId: string;
  readonly clock: Clock;
  readonly interruption: Interruption;
  readonly emit: RunnerListener;
}
