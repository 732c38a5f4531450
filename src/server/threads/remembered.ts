const MOST = 24;

/** What takes a second to work out and is asked for again and again: the last few answers, each worked out once. */
export class Remembered {
  readonly #answers = new Map<string, Promise<unknown>>();

  /** The key names everything that changes the answer. A failure is not remembered. */
  async get<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key) as Promise<T> | undefined;
    const answer = known ?? operation();
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
    try {
      return await answer;
    } catch (error) {
      this.#answers.delete(key);
      throw error;
    }
  }
}
