import type { Clock } from "../core/clock.ts";
import { FOR_LAST_STEPS, Patience } from "./patience.ts";

/** What ends a run. Its result is there and paid for: a step that fails is noted, and the others are taken all the same. */
export class LastSteps {
  readonly #patience: Patience;
  readonly #problems: string[] = [];

  constructor(clock: Clock) {
    this.#patience = new Patience(clock, FOR_LAST_STEPS);
  }

  async take<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#patience.try(work);
    } catch (error) {
      this.#problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  /** In one line; null when everything went well. */
  get note(): string | null {
    return this.#problems.length === 0 ? null : this.#problems.join("; ");
  }
}
