import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../core/clock.ts";

/** Long enough for a browser to start. */
const LIFETIME_MILLISECONDS = 60_000;

/** Codes that each let one visitor in once, soon: for places that others can read, such as the list of processes. */
export class OneTimeCodes {
  readonly #clock: Clock;
  /** By their hashes, with their ends. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const code = randomBytes(18).toString("base64url");
    this.#ends.set(hash(code), this.#clock.now().getTime() + LIFETIME_MILLISECONDS);
    return code;
  }

  /** Whether a code is good; from then on it is not. */
  use(code: string): boolean {
    const key = hash(code);
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    return end !== undefined && this.#clock.now().getTime() < end;
  }
}

function hash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
