/** The tokens of a text, including the special tokens at the beginning and end. */
export interface TokenisedText {
  readonly ids: readonly number[];
}

/** The same with a vector of length 1 for each token in its context. */
export interface EmbeddedText extends TokenisedText {
  readonly vectors: readonly Float32Array[];
}

/**
 * A model that gives a contextual vector for every token of a text. An embedding service gives only one for the whole
 * text.
 */
export interface TokenEmbedder {
  readonly id: string;
  /** The ids of the special tokens for beginning and end. */
  readonly marks: ReadonlySet<number>;
  tokenise(texts: readonly string[]): TokenisedText[];
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddedText[]>;
}
