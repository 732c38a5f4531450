import type { ErrorCode } from "../../core/error-codes.ts";
import { FabulaError } from "../../core/errors.ts";
import { type Address, withoutPassword } from "./address.ts";

const LOST = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  // The server is shutting down, has crashed, is starting up, or has no connection left.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
]);
const LOST_WORDS =
  /connection terminated|connection error|timeout exceeded when trying to connect|timeout expired|query read timeout|closed the connection|not queryable/i;
/** Two writers met, and the server let one of them go on: the other tries again. */
const COLLIDED = new Set(["40001", "40P01"]);
/** The server is there: it has ended the connection, has crashed, is starting up, or has no connection left. */
const THERE = new Set(["57P01", "57P02", "57P03", "53300"]);
const DISK_FULL = "53100";

export function isConnectionLost(error: unknown): boolean {
  return LOST.has(codeOf(error)) || LOST_WORDS.test(messageOf(error));
}

export function isRetryable(error: unknown): boolean {
  return isConnectionLost(error) || COLLIDED.has(codeOf(error));
}

/** When a store is opened, only this is waited for: an address where nothing listens is more likely mistyped. */
export function isStarting(error: unknown): boolean {
  return THERE.has(codeOf(error)) || COLLIDED.has(codeOf(error));
}

/** One sentence about why the store cannot be opened, and what to do. The driver's error stays behind: it holds the connection. */
export function openingFailure(error: unknown, { shown, server, user, database }: Address): FabulaError {
  if (error instanceof FabulaError) return error;
  const code = codeOf(error);
  const detail = withoutPassword(messageOf(error));
  const fail = (kind: ErrorCode, sentence: string) =>
    new FabulaError(kind, sentence, { cause: new Error(code ? `${code}: ${detail}` : detail) });
  switch (code) {
    case "28P01":
    case "28000":
      return fail(
        "E_STORE_PASSWORD",
        `The PostgreSQL server ${server} does not let the user "${user}" in (${detail}): check the name and the password in the address, or set PGPASSWORD.`,
      );
    case "3D000":
      return fail(
        "E_STORE_DATABASE",
        `The PostgreSQL server ${server} has no database "${database}": make it with \`createdb ${database}\`, or correct the address.`,
      );
    case "42501":
      return fail(
        "E_STORE_OPEN",
        `The user "${user}" may not make tables in ${shown} (${detail}): let the owner of the database grant CREATE on it.`,
      );
    case "42P07":
      return fail(
        "E_STORE_OPEN",
        `The database of ${shown} has a schema "fabula" that Fabula did not make (${detail}): give another database.`,
      );
    case "25006":
      return fail("E_STORE_READ_ONLY", readOnly(shown));
    case DISK_FULL:
      return fail("E_STORE_FULL", diskFull(server));
    default:
      if (isConnectionLost(error) || code === "ENOTFOUND") {
        return fail(
          "E_STORE_UNREACHABLE",
          `The store ${shown} cannot be reached (${detail}): check the address, and that PostgreSQL runs there.`,
        );
      }
      // Without a password the driver fails in words of its own, before the server has said anything.
      if (/password must be a string/i.test(detail)) {
        return fail(
          "E_STORE_PASSWORD",
          `The PostgreSQL server ${server} asks the user "${user}" for a password: write it into the address, or set PGPASSWORD.`,
        );
      }
      return fail("E_STORE_OPEN", `The store ${shown} cannot be opened (${detail}): give another with --store.`);
  }
}

/** A statement that failed for good. */
export function statementFailure(error: unknown, { shown, server, user }: Address): Error {
  if (error instanceof FabulaError) return error;
  const detail = withoutPassword(messageOf(error));
  const cause = new Error(`${codeOf(error)} ${detail}`.trim());
  const fail = (kind: ErrorCode, sentence: string) => new FabulaError(kind, sentence, { cause });
  if (isRetryable(error)) {
    return fail(
      "E_STORE_LOST",
      `The store ${shown} stopped answering (${detail}): every answer so far is kept; continue with \`fabula runs resume\` when it runs again.`,
    );
  }
  switch (codeOf(error)) {
    case "42501":
      return fail(
        "E_STORE_RIGHTS",
        `The user "${user}" may not do this in ${shown} (${detail}): let the owner grant it the rights to read and write in the schema fabula.`,
      );
    case "25006":
      return fail("E_STORE_READ_ONLY", readOnly(shown));
    case DISK_FULL:
      return fail("E_STORE_FULL", diskFull(server));
    default:
      return fail("E_STORE_WRITE", `The store ${shown} refused to read or write (${detail}).`);
  }
}

function readOnly(shown: string): string {
  return `The store ${shown} takes no writes, as a replica does: give the address of the server that does.`;
}

function diskFull(server: string): string {
  return `The disk of the PostgreSQL server ${server} is full: free some space there, then continue with \`fabula runs resume\`; every answer stored so far is kept.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
