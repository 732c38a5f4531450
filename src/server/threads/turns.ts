interface OfClient {
  readonly client: string;
}

/** Whose turn it is: of the clients that wait, the one that has waited longest since its last turn. */
export class Turns {
  readonly #last = new Map<string, number>();
  #count = 0;

  next<Waiting extends OfClient>(waiting: readonly Waiting[]): Waiting | undefined {
    const last = ({ client }: Waiting) => this.#last.get(client) ?? -1;
    return waiting.reduce<Waiting | undefined>(
      (first, one) => (first && last(first) <= last(one) ? first : one),
      undefined,
    );
  }

  took(client: string): void {
    this.#last.set(client, this.#count++);
  }

  /** For a client with nothing left to do. */
  forget(client: string): void {
    this.#last.delete(client);
  }
}
