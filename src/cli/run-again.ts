import { resolve } from "node:path";
import { isPostgres } from "../store/postgres/address.ts";

/** The words of a remembered command without its store, which is handed on by `environmentFor`, and waiting for its end. */
export function wordsAgain(command: readonly string[]): string[] {
  return command.filter(
    (word, at) => !/^--store(=|$)/.test(word) && command[at - 1] !== "--store" && word !== "--detach",
  );
}

/** The address of a database may hold a password, and anyone on a machine can list the words of commands that run. */
export function environmentFor(location: string): NodeJS.ProcessEnv {
  return { ...process.env, FABULA_STORE: isPostgres(location) ? location : resolve(location) };
}
