/**
 * The part of node-llama-cpp 3 that the llama adapter uses. The package is an optional peer of 700 MB, so its own
 * types are not available when this one is compiled; `npm run test:local-model` runs the adapter with the real
 * package.
 */
declare module "node-llama-cpp" {
  export interface Llama {
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
    createGrammarForJsonSchema(schema: Readonly<Record<string, unknown>>): Promise<LlamaGrammar>;
    dispose(): Promise<void>;
  }
  export interface LlamaModel {
    readonly trainContextSize: number;
    tokenize(text: string): readonly number[];
    createContext(options: { contextSize: number | { max: number }; threads: number }): Promise<LlamaContext>;
  }
  export interface LlamaContext {
    readonly contextSize: number;
    getSequence(): LlamaContextSequence;
  }
  export interface LlamaContextSequence {
    clearHistory(): Promise<void>;
    readonly tokenMeter: { getState(): { usedInputTokens: number; usedOutputTokens: number } };
  }
  export interface LlamaGrammar {
    readonly grammar: string;
  }
  export type ChatHistoryItem =
    | { type: "system"; text: string }
    | { type: "user"; text: string }
    | { type: "model"; response: string[] };
  export class LlamaChatSession {
    constructor(options: { contextSequence: LlamaContextSequence; autoDisposeSequence: boolean });
    setChatHistory(history: ChatHistoryItem[]): void;
    promptWithMeta(
      prompt: string,
      options: {
        grammar?: LlamaGrammar;
        maxTokens: number;
        temperature: number;
        seed?: number;
        signal: AbortSignal;
        trimWhitespaceSuffix: boolean;
      },
    ): Promise<{ responseText: string; stopReason: string }>;
    dispose(): void;
  }
  export function getLlama(options: {
    gpu?: "auto" | false;
    maxThreads: number;
    build: "never";
    logLevel: "error";
  }): Promise<Llama>;
}
