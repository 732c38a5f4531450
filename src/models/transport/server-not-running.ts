import { ModelError } from "../model-error.ts";
import { isThisMachine } from "./this-machine.ts";

/** Nothing listens at an address of this machine: the server was not started, so retrying is pointless. */
export function serverNotRunning(model: string, origin: string, cause: unknown): ModelError | null {
  if (!isThisMachine(new URL(origin).hostname) || !wasRefused(cause)) return null;
  const message = model.startsWith("ollama")
    ? `Ollama is not running at ${origin}: start it with \`ollama serve\`.`
    : `No server is running at ${origin}, where ${model} should be: start it, then try again.`;
  return new ModelError("not-running", model, message, { cause });
}

function wasRefused(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === "ECONNREFUSED") return true;
  }
  return false;
}
