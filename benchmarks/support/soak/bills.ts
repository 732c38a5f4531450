import { openStore } from "../../../src/store/open-store.ts";
import type { SimulatedExchange } from "../../../src/testing/index.ts";

export interface BillOutcome {
  readonly answered: number;
  readonly stored: number;
  /** Answers that arrived whole and are not in the store, though their call was not under way at a kill or a pause. */
  readonly lost: number;
  /** Calls that were sent again though their answer was in the store. */
  readonly storedButAskedAgain: number;
  readonly billedTwice: {
    readonly atKill: number;
    /** A call whose first reply was unusable is begun again when it was stopped before its second. */
    readonly atPause: number;
    readonly otherwise: number;
  };
}

/** Compares what the provider answered with what the store holds, at every disturbance and at the end. */
export class Bills {
  readonly #path: string;
  readonly #exchanges: readonly SimulatedExchange[];
  /** How many exchanges there had been when the answer to a call was first seen in the store. */
  readonly #stored = new Map<string, number>();
  readonly #underWay = { kill: new Set<string>(), pause: new Set<string>() };

  constructor(path: string, exchanges: readonly SimulatedExchange[]) {
    this.#path = path;
    this.#exchanges = exchanges;
  }

  /** What was asked and is not in the store may be asked again because of this. */
  async noteDisturbance(kind: "kill" | "pause"): Promise<void> {
    for (const key of await this.#notStored()) this.#underWay[kind].add(key);
  }

  async settle(): Promise<BillOutcome> {
    const missing = new Set(await this.#notStored());
    const { kill, pause } = this.#underWay;
    const answered = this.#exchanges.filter(({ outcome }) => outcome === "answered");
    const whole = new Set(answered.filter(({ fault }) => fault === null).flatMap(keyOf));
    const twice = billedTwice(answered);
    const billedAtKill = twice.filter((key) => kill.has(key));
    const billedAtPause = twice.filter((key) => !kill.has(key) && pause.has(key));
    return {
      answered: answered.length,
      stored: this.#stored.size,
      lost: [...whole].filter((key) => missing.has(key) && !kill.has(key) && !pause.has(key)).length,
      storedButAskedAgain: this.#exchanges.filter((exchange, position) =>
        keyOf(exchange).some((key) => position >= (this.#stored.get(key) ?? Number.POSITIVE_INFINITY)),
      ).length,
      billedTwice: {
        atKill: billedAtKill.length,
        atPause: billedAtPause.length,
        otherwise: twice.length - billedAtKill.length - billedAtPause.length,
      },
    };
  }

  async #notStored(): Promise<string[]> {
    const count = this.#exchanges.length;
    const open = new Set(this.#exchanges.flatMap(keyOf).filter((key) => !this.#stored.has(key)));
    const store = await openStore(this.#path);
    try {
      for (const key of open) {
        if (!(await store.findCall(key))) continue;
        this.#stored.set(key, count);
        open.delete(key);
      }
    } finally {
      await store.close();
    }
    return [...open];
  }
}

/** A reply that arrives broken is billed too, but that is the provider's doing. */
function billedTwice(answered: readonly SimulatedExchange[]): string[] {
  const bills = new Map<string, number>();
  for (const { idempotencyKey, fault } of answered) {
    if (fault === "malformed-body" || idempotencyKey === null) continue;
    bills.set(idempotencyKey, (bills.get(idempotencyKey) ?? 0) + 1);
  }
  return [...bills].filter(([, count]) => count > 1).map(([key]) => callOf(key));
}

function keyOf({ idempotencyKey }: SimulatedExchange): string[] {
  return idempotencyKey === null ? [] : [callOf(idempotencyKey)];
}

/** The key of a call without which of its attempts it was. */
function callOf(idempotencyKey: string): string {
  return idempotencyKey.split("-")[0]!;
}
