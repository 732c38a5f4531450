import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import type { Person } from "./http/token.ts";
import { changeJsonFile, readJsonFile } from "./library/json-file.ts";

const revokedSchema = z.record(z.string(), z.number().int());

/**
 * Everybody who was invited and how many of each person's links were revoked, in `people.json` of the library. A link made before
 * a revocation is no longer valid.
 */
export class InvitedPeople {
  readonly #path: string;
  #revoked: Promise<Map<string, number>> | null = null;

  constructor(library: string) {
    this.#path = join(library, "people.json");
  }

  /** The person with the number of their current link. */
  async invite({ role, name }: Person): Promise<Person> {
    if (!(await this.#read()).has(name)) await this.#change((revoked) => revoked.set(name, revoked.get(name) ?? 0));
    return { role, name, link: (await this.#read()).get(name) ?? 0 };
  }

  async isInvited({ name, link = 0 }: Person): Promise<boolean> {
    return link === ((await this.#read()).get(name) ?? 0);
  }

  async revoke(name: string): Promise<void> {
    await this.#change((revoked) => {
      const before = revoked.get(name);
      if (before === undefined) {
        throw new FabulaError(
          "E_NOT_FOUND",
          `Nobody was invited as "${name}": give the name exactly as it was given to --people.`,
        );
      }
      revoked.set(name, before + 1);
    });
  }

  async #change(change: (revoked: Map<string, number>) => unknown): Promise<void> {
    await changeJsonFile(this.#path, revokedSchema, (stored) => {
      const revoked = new Map(Object.entries(stored ?? {}));
      change(revoked);
      return Object.fromEntries(revoked);
    });
    this.#revoked = null;
  }

  #read(): Promise<Map<string, number>> {
    this.#revoked ??= readJsonFile(this.#path, revokedSchema)
      .then((stored) => new Map(Object.entries(stored ?? {})))
      .catch((error: unknown) => {
        this.#revoked = null;
        throw error;
      });
    return this.#revoked;
  }
}
