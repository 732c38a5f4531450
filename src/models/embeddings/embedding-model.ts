/** Turns texts into vectors whose directions tell how near their meanings are. */
export interface EmbeddingModel {
  /** `openai:MODEL`, `MODEL@http://host/v1`: what a user types. */
  readonly id: string;
  /** One vector of length 1 per text, in order. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}
