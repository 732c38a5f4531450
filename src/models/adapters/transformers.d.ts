/**
 * The part of @huggingface/transformers 4 that the adapter uses. The package is an optional peer with native parts, so its
 * own types are not there when this is compiled.
 */
declare module "@huggingface/transformers" {
  export interface Tensor {
    readonly dims: readonly number[];
    readonly data: Float32Array;
    tolist(): (number | bigint)[][];
  }
  export type Tokenizer = (
    texts: string[],
    options: { padding: boolean; truncation: boolean },
  ) => { readonly input_ids: Tensor; readonly attention_mask: Tensor };
  export type Model = (inputs: object) => Promise<{ readonly last_hidden_state?: Tensor }>;
  export interface Options {
    readonly dtype?: string;
    readonly local_files_only?: boolean;
    readonly session_options?: { intraOpNumThreads: number; interOpNumThreads: number };
  }
  export const AutoTokenizer: { from_pretrained(name: string, options?: Options): Promise<Tokenizer> };
  export const AutoModel: { from_pretrained(name: string, options?: Options): Promise<Model> };
  export const env: { localModelPath: string; allowRemoteModels: boolean };
}
