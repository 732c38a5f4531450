import { randomInt } from "node:crypto";
import { FabulaError } from "../core/errors.ts";

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const SHAPE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST = 64;

/** Sorts by time, cannot be guessed, and is a safe name for a file. */
export function newId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").replace(".", "-").slice(0, 19);
  return `${stamp}-${Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`;
}

/**
 * The only place where a name from a request may become part of a path: lower-case letters, digits and single hyphens between
 * them. Everything else is refused as unknown.
 */
export function checkedId(id: string, what: string): string {
  if (id.length <= LONGEST && SHAPE.test(id)) return id;
  throw notFound(what);
}

export function notFound(what: string): FabulaError {
  return new FabulaError("E_NOT_FOUND", `There is no such ${what}: it may have been deleted. Go back and look again.`);
}
