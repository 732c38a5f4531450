import { resolve } from "node:path";
import { isPostgres } from "../store/postgres/address.ts";

/** The caller passes these values again, and a flag may be given only once. */
const GIVEN_AGAIN = ["store", "resume", "max-cost"];

/** The words of a stored command without its store, its cost limit, `--resume` and `--detach`. */
export function reusableArguments(command: readonly string[]): string[] {
  const isName = (word: string | undefined) => GIVEN_AGAIN.some((flag) => word === `--${flag}`);
  const hasValue = (word: string) => GIVEN_AGAIN.some((flag) => word.startsWith(`--${flag}=`));
  return command.filter(
    (word, at) => !isName(word) && !isName(command[at - 1]) && !hasValue(word) && word !== "--detach",
  );
}

/** The address of a database may hold a password, and anyone on a machine can list the words of commands that run. */
export function environmentFor(location: string): NodeJS.ProcessEnv {
  return { ...process.env, FABULA_STORE: isPostgres(location) ? location : resolve(location) };
}
