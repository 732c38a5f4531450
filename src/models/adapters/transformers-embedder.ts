import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Model, Tokenizer } from "@huggingface/transformers";
import { FabulaError } from "../../core/errors.ts";
import type { EmbeddedText, TokenEmbedder, TokenisedText } from "../embeddings/token-embedder.ts";

type Transformers = typeof import("@huggingface/transformers");

export interface TransformersOptions {
  /** A model's folder, or its name on the Hugging Face hub; `NAME:DTYPE` chooses one of its files (`…:q4`). */
  readonly model: string;
  /** Where `@huggingface/transformers` is installed, if not beside this package or in the current folder. */
  readonly folder?: string;
  readonly maximumThreads: number;
}

/**
 * A model of token vectors, running in this process through ONNX. It uses the last layer, since exported models give
 * no other.
 */
export async function transformersEmbedder(options: TransformersOptions): Promise<TokenEmbedder> {
  const library = await importTransformers(options.folder);
  const [, name, dtype] = /^(.*?)(?::(fp32|fp16|q8|int8|uint8|q4|q4f16|bnb4))?$/.exec(options.model)!;
  const local = existsSync(join(name!, "config.json"));
  if (local) library.env.localModelPath = `${dirname(resolve(name!))}/`;
  const place = local ? basename(resolve(name!)) : name!;
  const settings = {
    ...(dtype !== undefined && { dtype }),
    ...(local && { local_files_only: true }),
    session_options: { intraOpNumThreads: options.maximumThreads, interOpNumThreads: 1 },
  };
  let tokenizer: Tokenizer;
  let model: Model;
  try {
    tokenizer = await library.AutoTokenizer.from_pretrained(place, settings);
    model = await library.AutoModel.from_pretrained(place, settings);
  } catch (cause) {
    throw new FabulaError(
      "E_MODEL_FILE",
      `The model "${name}" could not be loaded: give a folder with config.json, tokenizer.json and onnx/, or a name on the Hugging Face hub.`,
      { cause },
    );
  }
  const tokenise = (texts: readonly string[]): TokenisedText[] =>
    texts.map((text) => ({
      ids: tokenizer([text], { padding: false, truncation: true }).input_ids.tolist()[0]!.map(Number),
    }));
  return {
    id: options.model,
    // The special tokens: what an empty text consists of.
    marks: new Set(tokenise([""])[0]!.ids),
    tokenise,
    async embed(texts, signal) {
      signal.throwIfAborted();
      const inputs = tokenizer([...texts], { padding: true, truncation: true });
      const { last_hidden_state: hidden } = await model(inputs);
      if (!hidden)
        throw new FabulaError("E_MODEL_FILE", `"${name}" gives no token vectors: name an encoder such as BERT.`);
      const [, width = 0, size = 0] = hidden.dims;
      return tokenise(texts).map(({ ids }, row): EmbeddedText => {
        const vectors = ids.map((_, token) => {
          const start = (row * width + token) * size;
          return unitVector(hidden.data.slice(start, start + size));
        });
        return { ids, vectors };
      });
    },
  };
}

function unitVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

async function importTransformers(folder: string | undefined): Promise<Transformers> {
  const places = [
    ...(folder ? [join(resolve(folder), "index.js")] : []),
    import.meta.url,
    join(process.cwd(), "index.js"),
  ];
  for (const place of places) {
    try {
      const path = createRequire(place).resolve("@huggingface/transformers");
      return (await import(pathToFileURL(path).href)) as Transformers;
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new FabulaError(
    "E_MODEL_LIBRARY",
    "BERTScore needs @huggingface/transformers, which is not installed: run `npm install @huggingface/transformers@4`.",
  );
}
