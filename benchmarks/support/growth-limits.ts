/** What one novel takes, whatever is done with it. */
export interface PerNovel {
  readonly work: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars at list price. */
  readonly cost: number;
  /** In the store, with indexes. */
  readonly bytes: number;
  /** Of `bytes`, what was asked: the part that can be kept elsewhere or thrown away. */
  readonly requestBytes: number;
  /** Statements sent to the store. */
  readonly queries: number;
  /** Of this machine's processor, on one core; 0 where a provider does the reading. */
  readonly coreSeconds: number;
  /** Held in memory until the command ends. */
  readonly memoryBytes: number;
}

/** What one is prepared to give to the work. */
export interface Capacity {
  readonly tokensPerMinute: number;
  readonly answersPerSecond: number;
  readonly volumeBytes: number;
  readonly memoryBytes: number;
  readonly cores: number;
  readonly days: number;
}

export interface Need {
  readonly limit: string;
  /** Share of the capacity: above 1 it does not fit, or not in time. */
  readonly share: number;
  readonly remedy: string;
}

const MINUTES_PER_DAY = 1440;
const SECONDS_PER_DAY = 86_400;

/** How much of each capacity so many novels take, the scarcest first. */
export function needs(unit: PerNovel, novels: number, capacity: Capacity): Need[] {
  const days = Math.max(capacity.days, Number.EPSILON);
  const all: Need[] = [
    {
      limit: "tokens per minute at the provider",
      share: ((unit.inputTokens + unit.outputTokens) * novels) / (capacity.tokensPerMinute * MINUTES_PER_DAY * days),
      remedy: "--batch (limits of its own, half the price), a second provider or account, fewer runs, grader first",
    },
    {
      limit: "writes to the store",
      share: (unit.calls * novels) / (capacity.answersPerSecond * SECONDS_PER_DAY * days),
      remedy: "one store per part of the corpus; partitions of calls and uses by the first digits of the key",
    },
    {
      limit: "volume of the store",
      share: (unit.bytes * novels) / capacity.volumeBytes,
      remedy: "requests out of the database (object storage by hash) or deleted when a run is done; partitions",
    },
    {
      limit: "memory of the command",
      share: (unit.memoryBytes * novels) / capacity.memoryBytes,
      remedy: "parts of the corpus, one command each; a population from a random sample of novels",
    },
    {
      limit: "processor",
      share: (unit.coreSeconds * novels) / (capacity.cores * SECONDS_PER_DAY * days),
      remedy: "more workers: chapters are independent",
    },
  ];
  return all.sort((left, right) => right.share - left.share);
}
