import type { StoredBatch } from "../../store/records.ts";
import { interrupted } from "../limits/provider-gate.ts";
import { askPatiently, FIRST_LOOK_MILLISECONDS, longer } from "./ask-patiently.ts";
import type { BatcherOptions } from "./batcher-options.ts";
import { heldBatches } from "./held-batches.ts";

/** The provider's id of a batch that may have arrived without our learning its name, or null when it never arrived. */
export async function findBatch(options: BatcherOptions, batch: StoredBatch): Promise<string | null> {
  const { model, store, clock, interruption, modelId } = options;
  for (let pause = FIRST_LOOK_MILLISECONDS; !interruption.happened; pause = longer(pause)) {
    const held = await heldBatches(store);
    const search = await askPatiently(options, (signal) => model.gateway.find({ ...batch, held }, signal));
    if (search.kind !== "undecided") return search.kind === "found" ? search.id : null;
    await interruption.sleep(pause, clock);
  }
  throw interrupted(modelId);
}
