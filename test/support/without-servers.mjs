import { register } from "node:module";

/**
 * Given to Node with `--import`: a machine on which the driver of PostgreSQL was never installed. Whoever asks
 * for it is told that it is not there, as Node itself would.
 */
const ABSENT = /^(?:pg|pg-[\w-]+)(?:\/|$)/;

export async function resolve(specifier, context, next) {
  if (!ABSENT.test(specifier)) return next(specifier, context);
  const error = new Error(`Cannot find package '${specifier}' imported from ${context.parentURL}`);
  throw Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
}

// The same file is the hook that it registers: in the thread of the hooks there is nothing left to register.
const { isMainThread } = await import("node:worker_threads");
if (isMainThread) register(import.meta.url);
