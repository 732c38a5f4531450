import { FabulaError } from "../core/errors.ts";

export const CLOUD_PROVIDERS = ["openai", "anthropic", "google"] as const;
export type CloudProvider = (typeof CLOUD_PROVIDERS)[number];

/** Where the command line looks for their keys. */
export const KEY_VARIABLES: Readonly<Record<CloudProvider, string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
};

/** What a user types after `--judge`, taken apart. */
export type JudgeName =
  | { readonly provider: CloudProvider; readonly model: string }
  | { readonly provider: "ollama"; readonly model: string }
  | { readonly provider: "llama"; readonly path: string }
  | { readonly provider: "compatible"; readonly model: string; readonly baseUrl: string };

/** The judges that ship inside, by every name they answer to. */
const EMBEDDED: readonly string[] = ["jury", "crowd", "editor", "grader", "pocket"];

const FORMS =
  "crowd, editor, grader, openai:MODEL, anthropic:MODEL, google:MODEL, ollama:MODEL, llama:PATH.gguf or MODEL@http://host/v1";

export function parseJudgeName(name: string): JudgeName {
  const endpoint = /^(?<model>.+?)@(?<url>https?:\/\/.+)$/.exec(name);
  if (endpoint?.groups) {
    const { model = "", url = "" } = endpoint.groups;
    if (!URL.canParse(url)) throw unknown(name);
    const parsed = new URL(url);
    if (parsed.username || parsed.password) {
      // A secret in a judge's name would end up in every stored call and report.
      throw new FabulaError(
        "E_JUDGE_SECRET",
        "A judge's address must not hold a user name or password: give the key in FABULA_API_KEY instead.",
      );
    }
    return { provider: "compatible", model, baseUrl: url.replace(/\/+$/, "") };
  }
  if (EMBEDDED.includes(name)) {
    throw new FabulaError(
      "E_JUDGE_EMBEDDED",
      "An embedded judge cannot answer questions: name a language model here, such as openai:MODEL or ollama:MODEL.",
    );
  }
  const [provider = "", model = ""] = splitOnce(name, ":");
  if (!model) throw unknown(name);
  switch (provider) {
    case "openai":
    case "anthropic":
    case "google":
    case "ollama":
      return { provider, model };
    case "llama":
      return { provider, path: model };
    default:
      throw unknown(name);
  }
}

/** The same, or null for another word: a program may call a model of its own as it likes. */
export function judgeNameOf(name: string): JudgeName | null {
  try {
    return parseJudgeName(name);
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_JUDGE_UNKNOWN") return null;
    throw error;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function unknown(name: string): FabulaError {
  return new FabulaError("E_JUDGE_UNKNOWN", `"${name}" is not a judge: write ${FORMS}.`);
}
