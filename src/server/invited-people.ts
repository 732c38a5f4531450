import { join } from "node:path";
import { z } from "zod";
import type { Person } from "./http/token.ts";
import { readJsonFile, writeJsonFile } from "./library/json-file.ts";

const revokedSchema = z.record(z.string(), z.number().int());

/** How many links of each person were revoked, in `people.json` of the library: a link that was made before counts no more. */
export class InvitedPeople {
  readonly #path: string;
  #revoked: Promise<Map<string, number>> | null = null;

  constructor(library: string) {
    this.#path = join(library, "people.json");
  }

  /** The person with the number that a link has now. */
  async invite({ role, name }: Person): Promise<Person> {
    return { role, name, link: (await this.#read()).get(name) ?? 0 };
  }

  async isInvited({ name, link = 0 }: Person): Promise<boolean> {
    return link === ((await this.#read()).get(name) ?? 0);
  }

  async revoke(name: string): Promise<void> {
    const revoked = await this.#read();
    revoked.set(name, (revoked.get(name) ?? 0) + 1);
    await writeJsonFile(this.#path, Object.fromEntries(revoked));
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
