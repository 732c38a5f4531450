import { Session } from "node:inspector/promises";

/** Which stretches of code have been reached, by V8's own counters: what shows that an input did something new. */
export class ReachedCode {
  readonly #session = new Session();
  readonly #stretches = new Set<string>();

  readonly #within: string;

  private constructor(within: string) {
    this.#within = within;
  }

  /** Code whose address begins so; Node's own does not count. */
  static async watch(within = "file:"): Promise<ReachedCode> {
    const reached = new ReachedCode(within);
    reached.#session.connect();
    await reached.#session.post("Profiler.enable");
    await reached.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return reached;
  }

  stop(): void {
    this.#session.disconnect();
  }

  get size(): number {
    return this.#stretches.size;
  }

  /** Whether any code ran since the last look that had never run before. */
  async isMore(): Promise<boolean> {
    const before = this.size;
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    for (const { url, scriptId, functions } of result) {
      if (!url.startsWith(this.#within)) continue;
      for (const { ranges } of functions)
        for (const { count, startOffset, endOffset } of ranges)
          if (count > 0) this.#stretches.add(`${scriptId}:${startOffset}:${endOffset}`);
    }
    return this.size > before;
  }
}
