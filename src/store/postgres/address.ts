import { FabulaError } from "../../core/errors.ts";

const POSTGRES = /^postgres(?:ql)?:\/\//i;
/** Up to the last "@" of the word: a password that holds one, or a "/", should have been encoded, but is no less secret. */
const WITH_PASSWORD = /(\bpostgres(?:ql)?:\/\/[^\s:@]*:)\S*(?=@)/gi;
const PASSWORD_PARAMETER = /([?&]password=)[^\s&#]*/gi;

export function isPostgres(location: string): boolean {
  return POSTGRES.test(location);
}

/** The same text without the passwords of databases: for messages, events, and the words of a command that is remembered. */
export function withoutPassword(text: string): string {
  return text.replace(WITH_PASSWORD, "$1***").replace(PASSWORD_PARAMETER, "$1***");
}

/** What error messages name. */
export interface Address {
  readonly shown: string;
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

export function addressOf(location: string): Address {
  const shown = withoutPassword(location);
  try {
    const { hostname, port, username, pathname } = new URL(location);
    const user = decodeURIComponent(username);
    return {
      shown,
      server: `${hostname || "localhost"}:${port || "5432"}`,
      user: user || "(nobody)",
      database: decodeURIComponent(pathname.slice(1)) || user,
    };
  } catch (cause) {
    throw new FabulaError(
      "E_STORE_UNKNOWN",
      `"${shown}" is not the address of a PostgreSQL database: it looks like postgres://user:password@host:5432/database, with special characters in the password written as %40 and so on.`,
      { cause: withoutCredentials(cause) },
    );
  }
}

/** The URL parser repeats its input in the error. */
function withoutCredentials(cause: unknown): Error {
  return new Error(withoutPassword(cause instanceof Error ? cause.message : String(cause)));
}
