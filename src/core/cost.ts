/** The cost of calls. An unknown price is not a price of zero, so the calls without one are counted apart. */
export interface Cost {
  /** US dollars for the calls with a known price; null if those cost nothing and other calls have no known price. */
  readonly cost: number | null;
  readonly unpricedCalls?: number | undefined;
  /** Calls that another account of the user's pays for, such as a subscription: they have no price of their own. */
  readonly coveredCalls?: number | undefined;
}

export const NO_COST = { cost: 0, unpricedCalls: 0 } as const satisfies Cost;

interface CountedCost {
  cost: number | null;
  unpricedCalls: number;
  coveredCalls?: number;
}

export function costOfCalls(known: number, unpricedCalls: number, coveredCalls = 0): CountedCost {
  return {
    cost: known === 0 && unpricedCalls + coveredCalls > 0 ? null : known,
    unpricedCalls,
    ...(coveredCalls > 0 && { coveredCalls }),
  };
}

export function addCosts(costs: readonly Cost[]): CountedCost {
  const total = (count: (cost: Cost) => number | null | undefined) =>
    costs.reduce((sum, cost) => sum + (count(cost) ?? 0), 0);
  return costOfCalls(
    total(({ cost }) => cost),
    total(({ unpricedCalls }) => unpricedCalls),
    total(({ coveredCalls }) => coveredCalls),
  );
}

/** As JSON documents carry it. */
export function costFields({ cost, unpricedCalls = 0, coveredCalls = 0 }: Cost): CountedCost {
  return { cost, unpricedCalls, ...(coveredCalls > 0 && { coveredCalls }) };
}

export const COVERED = "covered by your own account";

/** A model on this machine has no price; "$0.00" would look like a bill, and a proxy here may well charge. */
export const FREE = "free of charge, as far as Fabula knows";

/** `isFree`: it cost nothing because the models have no price, not because the answers were paid for earlier. */
export function costInWords({ cost, unpricedCalls = 0, coveredCalls = 0 }: Cost, isFree = false): string {
  if (isFree && cost === 0 && unpricedCalls + coveredCalls === 0) return FREE;
  const covered = coveredCalls > 0 ? COVERED : null;
  if (cost === null) return unpricedCalls === 0 && covered ? covered : "cost unknown";
  const known = unpricedCalls > 0 ? `at least ${dollars(cost)}` : dollars(cost);
  return covered ? `${known}, the rest ${covered}` : known;
}

/** To the cent; below a cent to two digits, since a call may cost a hundredth of one and a limit of $0.00 says nothing. */
export function dollars(amount: number): string {
  const digits = amount > 0 && amount < 0.01 ? Math.min(12, 1 - Math.floor(Math.log10(amount))) : 2;
  return `$${amount.toFixed(digits)}`;
}
