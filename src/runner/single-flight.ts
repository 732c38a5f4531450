/** Two identical pieces of work at the same time become one; both callers get its result. */
export class SingleFlight<T> {
  readonly #flying = new Map<string, Promise<T>>();

  run(key: string, operation: () => Promise<T>): Promise<T> {
    const flying = this.#flying.get(key);
    if (flying) return flying;
    const started = operation().finally(() => this.#flying.delete(key));
    this.#flying.set(key, started);
    return started;
  }

  /** Resolves when all work now in flight has settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#flying.values());
  }
}
