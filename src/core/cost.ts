/** The cost of calls. An unknown price is not a price of zero, so the calls without one are counted apart. */
export interface Cost {
  /** US dollars for the calls whose price is known; null when none of them has cost anything and others have no known price. */
  readonly cost: number | null;
  readonly unpricedCalls?: number | undefined;
}

export const NO_COST = { cost: 0, unpricedCalls: 0 } as const satisfies Cost;

export function costOfCalls(known: number, unpricedCalls: number): { cost: number | null; unpricedCalls: number } {
  return { cost: known === 0 && unpricedCalls > 0 ? null : known, unpricedCalls };
}

export function addCosts(costs: readonly Cost[]): { cost: number | null; unpricedCalls: number } {
  return costOfCalls(
    costs.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    costs.reduce((sum, { unpricedCalls }) => sum + (unpricedCalls ?? 0), 0),
  );
}

/** As JSON documents carry it. */
export function costFields({ cost, unpricedCalls = 0 }: Cost): { cost: number | null; unpricedCalls: number } {
  return { cost, unpricedCalls };
}

export function costInWords({ cost, unpricedCalls = 0 }: Cost, dollars = toCents): string {
  if (cost === null) return "cost unknown";
  return unpricedCalls > 0 ? `at least ${dollars(cost)}` : dollars(cost);
}

function toCents(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
