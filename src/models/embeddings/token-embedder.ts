/** A text as a model reads it: the ids of its tokens, the marks of beginning and end included. */
export interface TokenisedText {
  readonly ids: readonly number[];
}

/** The same with a vector for each token, of length 1, as it stands in its sentence. */
export interface EmbeddedText extends TokenisedText {
  readonly vectors: readonly Float32Array[];
}

/** A model that gives a vector for every token of a text, in context. An embedding service gives one for the whole text. */
export interface TokenEmbedder {
  readonly id: string;
  /** The ids of the tokens that mark beginning and end. */
  readonly marks: ReadonlySet<number>;
  tokenise(texts: readonly string[]): TokenisedText[];
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddedText[]>;
}
