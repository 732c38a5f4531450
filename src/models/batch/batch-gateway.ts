/** One request in a batch, in the provider's own format. */
export interface BatchItem {
  readonly id: string;
  readonly body: unknown;
}

/** What came back for one item: the provider's HTTP answer, as if it had been asked alone. */
export interface BatchResult {
  readonly id: string;
  readonly status: number;
  readonly body: string;
}

export type BatchState = "working" | "ended" | "failed";

/** A batch we meant to submit, of which we do not know whether it arrived. */
export interface UncertainBatch {
  readonly token: string;
  /** The ids of its items. */
  readonly keys: readonly string[];
  readonly submittedAt: string;
  /** Ids of the provider that belong to other batches of ours. */
  readonly held: ReadonlySet<string>;
}

/** `undecided`: a batch that may be the one does not show yet what is in it. */
export type BatchSearch =
  | { readonly kind: "found"; readonly id: string }
  | { readonly kind: "absent" }
  | { readonly kind: "undecided" };

/** A provider's way to answer many requests later at a lower price. */
export interface BatchGateway {
  /** The provider's id of the batch. */
  submit(token: string, items: readonly BatchItem[], signal: AbortSignal): Promise<string>;
  /** Looks for a batch whose submission got no reply. What it finds is certainly that batch. */
  find(batch: UncertainBatch, signal: AbortSignal): Promise<BatchSearch>;
  state(id: string, signal: AbortSignal): Promise<BatchState>;
  results(id: string, signal: AbortSignal): AsyncIterable<BatchResult>;
}
