const MINUTE = 60_000;
/** A full bucket holds this much of a minute's allowance: enough for a burst, too little to use a minute twice. */
const BURST_SHARE = 1 / 6;

/** A token bucket: a rate per minute, spread evenly over the minute. */
export class Rate {
  readonly #perMinute: number;
  readonly #capacity: number;
  #available: number;
  #filledAt: number;

  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#capacity = Math.max(1, perMinute * BURST_SHARE);
    this.#available = this.#capacity;
    this.#filledAt = now;
  }

  /** Milliseconds until `amount` may be taken. More than the bucket holds may be taken when it is full. */
  waitFor(amount: number, now: number): number {
    this.#fill(now);
    const lacking = Math.min(amount, this.#capacity) - this.#available;
    return lacking <= 0 ? 0 : Math.ceil((lacking / this.#perMinute) * MINUTE);
  }

  take(amount: number, now: number): void {
    this.#fill(now);
    this.#available -= amount;
  }

  #fill(now: number): void {
    this.#available = Math.min(this.#capacity, this.#available + ((now - this.#filledAt) / MINUTE) * this.#perMinute);
    this.#filledAt = now;
  }
}
