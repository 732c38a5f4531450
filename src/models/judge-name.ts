import { FabulaError } from "../core/errors.ts";
import { splitLabel } from "../core/wording.ts";
import { CLOUD_PROVIDERS, type CloudProvider, isCloudProvider } from "./adapters/clouds.ts";
import { redact } from "./model-error.ts";
import { isNamedProvider, type NamedProvider } from "./providers.ts";

/** A parsed judge's name, as given to `--judge`. */
export type JudgeName =
  | { readonly provider: CloudProvider; readonly model: string }
  | { readonly provider: "ollama"; readonly model: string }
  | { readonly provider: "llama"; readonly path: string }
  | { readonly provider: "compatible"; readonly model: string; readonly baseUrl: string }
  | { readonly provider: NamedProvider; readonly model: string }
  /** Whichever model runs on this machine. */
  | { readonly provider: "local" }
  /** A program that reads a prompt on standard input and prints a reply. */
  | { readonly provider: "command"; readonly command: string }
  /** A person or an assistant who answers each question by hand; `who` distinguishes them. */
  | { readonly provider: "paste" | "assistant"; readonly who: string | null };

/** The judge whose answers a person copies from a chat window. */
export const PASTE = "paste";

/** The embedded judges, by every name they have. */
const EMBEDDED: readonly string[] = ["jury", "crowd", "editor", "grader"];

const FORMS = `crowd, editor, grader, ${CLOUD_PROVIDERS.map((name) => `${name}:MODEL`).join(", ")}, another provider's name (\`fabula models\` lists them), ollama:MODEL, local, llama:PATH.gguf, MODEL@http://host/v1, command:"PROGRAM …" or paste`;

/** The part after `#` is the user's own name for the judge, which does not affect what is asked. */
export function parseJudgeName(given: string): JudgeName {
  const [name] = splitLabel(given);
  if (name.startsWith("command:")) return commandName(name);
  const endpoint = /^(?<model>.+?)@(?<url>https?:\/\/.+)$/.exec(name);
  if (endpoint?.groups) {
    const { model = "", url = "" } = endpoint.groups;
    if (!URL.canParse(url)) throw unknown(name);
    const parsed = new URL(url);
    if (parsed.username || parsed.password) {
      // A secret in a judge's name would end up in every stored call and report.
      throw new FabulaError(
        "E_JUDGE_SECRET",
        "A judge's address must not hold a user name or password: give the key in FABULA_API_KEY and the address in FABULA_BASE_URL instead.",
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
  if (name === "local") return { provider: "local" };
  const [provider = "", model = ""] = splitOnce(name, ":");
  if (provider === "paste" || provider === "assistant") return { provider, who: model || null };
  if (!model) throw unknown(name);
  if (isNamedProvider(provider) || isCloudProvider(provider) || provider === "ollama") return { provider, model };
  if (provider === "llama") return { provider, path: model };
  throw unknown(name);
}

/** The same, or null for any other word: a program may name its own models as it likes. */
export function judgeNameOf(name: string): JudgeName | null {
  try {
    return parseJudgeName(name);
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_JUDGE_UNKNOWN") return null;
    throw error;
  }
}

function commandName(name: string): JudgeName {
  const command = name.slice("command:".length).trim();
  if (command === "") throw unknown(name);
  // The name is stored with every call and shown in every report.
  if (redact(command) !== command) {
    throw new FabulaError(
      "E_JUDGE_SECRET",
      "A judge's command must not hold a key: let the program read it from the environment or from a file of its own.",
    );
  }
  return { provider: "command", command };
}

/**
 * Whether its calls are paid for through an account unknown to Fabula, such as a subscription, and therefore have no
 * price.
 */
export function isCovered(modelId: string): boolean {
  return /^(?:command|paste|assistant)(?::|#|$)/.test(modelId);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function unknown(name: string): FabulaError {
  return new FabulaError("E_JUDGE_UNKNOWN", `"${name}" is not a judge: write ${FORMS}.`, { evidence: name });
}

/** A judge the user has named: its identity, and the name to show. */
interface NamedJudge {
  readonly judge: string;
  readonly name?: string | undefined;
}

/** The identity behind a short name (`openai:gpt-5#Careful reader`); any other name as it is. */
export function resolveShortName(name: string, judges: Readonly<Record<string, NamedJudge>> = {}): string {
  return Object.hasOwn(judges, name) ? ownJudgeId(name, judges[name]!) : name;
}

export function ownJudgeId(short: string, { judge, name }: NamedJudge): string {
  return `${judge}#${name ?? short}`;
}
